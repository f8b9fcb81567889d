// Runs one step and collects its tensors.
#include "experiments/runner/trace.h"

#include "experiments/results/table.h"
#include "experiments/runner/environment.h"
#include "framework/train/safetensors.h"
#include "kernels/cpu/threads.h"

namespace actlab {
namespace {

using Metadata = std::map<std::string, std::string>;

// Shapes that name their own layout: weights are the only tensors of rank 4 and 2.
const char* weight_layout(const Shape& shape, bool images) {
  if (shape.rank() == 4) return "OHWI";
  if (shape.rank() == 1) return "channels";
  return images ? "out,in; after a flatten layer in = (H, W, C)"
                : "out,in; of an embedding token or position,features; of a window mixing to,from";
}

class Trace {
 public:
  void add(const std::string& name, const Tensor& tensor, const char* layout) {
    NamedArray array{name, tensor.dtype(), tensor.shape(),
                     std::vector<std::byte>(static_cast<std::size_t>(tensor.bytes()))};
    tensor.backend().memory.copy_to_host(array.data.data(), tensor.data().data, tensor.bytes());
    arrays_.push_back(std::move(array));
    metadata_["layout." + name] = layout;
  }
  void add_fact(const std::string& name, const Cell& value) {
    metadata_[name] = readable(value, Unit::plain);
  }
  void write(const std::filesystem::path& file) const { write_safetensors(file, arrays_, metadata_); }
  std::int64_t tensors() const { return std::ssize(arrays_); }

 private:
  std::vector<NamedArray> arrays_;
  Metadata metadata_;
};

}  // namespace

TraceSummary write_trace(const Experiment& experiment, DataSets& data, const std::filesystem::path& file) {
  use_threads(static_cast<int>(experiment.threads));
  const Dataset& set = data.of(experiment);
  Backend& backend = backend_of(experiment);
  const auto model = build_model(experiment, set.spec());
  const TrainSettings settings = train_settings(experiment);
  const Batch batch = training_loader(set, settings)->load(0, 0, backend);
  const auto [logits, loss] = training_pass(*model, batch, 0, settings);
  loss.backward();

  Trace trace;
  const bool images = std::holds_alternative<ImageSpec>(set.spec());
  trace.add("input", batch.inputs, images ? "NHWC" : "N,L");
  trace.add("labels", batch.labels, images ? "N" : "M");
  if (batch.places.defined()) trace.add("places", batch.places, "M, each n * L + l");
  if (batch.lengths.defined()) trace.add("lengths", batch.lengths, "N");
  trace.add("logits", logits, images ? "N,classes" : "M,vocabulary");
  trace.add("loss", loss, "scalar");
  for (const auto& [name, tensor] : model->parameters()) {
    trace.add("parameter." + name, tensor, weight_layout(tensor.shape(), images));
    trace.add("gradient." + name, tensor.grad(), weight_layout(tensor.shape(), images));
  }
  for (const auto& [name, tensor] : model->buffers()) trace.add("buffer." + name, tensor, "channels");
  for (const auto& [name, value] : environment(backend)) trace.add_fact(name, value);
  trace.add_fact("model", experiment.model.name);
  trace.add_fact("activation", experiment.activation);
  trace.add_fact("seed", experiment.seed);
  trace.add_fact("config", to_toml(experiment));
  trace.write(file);
  return {.samples = batch.samples, .loss = loss.item(), .tensors = trace.tensors()};
}

}  // namespace actlab
