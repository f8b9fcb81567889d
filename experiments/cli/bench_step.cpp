// actlab bench step: median time and memory of a training step.
#include <algorithm>
#include <numeric>

#include "experiments/cli/component_options.h"
#include "experiments/cli/output.h"
#include "experiments/cli/timing.h"
#include "experiments/cli/verbs.h"
#include "experiments/results/statistics.h"
#include "experiments/runner/build.h"
#include "framework/autograd/engine.h"
#include "framework/ops/ops.h"
#include "kernels/cpu/threads.h"
#include "models/models.h"

namespace actlab {
namespace {

constexpr int warmup_steps = 3;

// CIFAR-10's sizes, and BERT's window with a vocabulary of ours.
constexpr ImageSpec cifar{.height = 32, .width = 32, .channels = 3, .classes = 10};
constexpr TextSpec text{.window = 128, .vocabulary = 8192};

DataSpec spec_for(const ModelType& type) {
  if (std::holds_alternative<MakeModel<ImageSpec>>(type.make)) return cifar;
  return text;
}

// The numbers from 0 below `end` in turns.
Tensor turns(std::int64_t count, std::int64_t end, const Shape& shape, Backend& backend) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<std::int32_t>(i % static_cast<std::size_t>(end));
  return Tensor::from(values, shape, backend);
}

// Random images.
Batch make_batch(const ImageSpec& spec, std::int64_t images, Backend& backend) {
  Batch batch;
  batch.inputs = normal_values({images, spec.height, spec.width, spec.channels}, DType::f32, 1, backend);
  batch.labels = turns(images, spec.classes, {images}, backend);
  batch.samples = images;
  return batch;
}

// Full windows with 15 % of their tokens to be predicted.
Batch make_batch(const TextSpec& spec, std::int64_t windows, Backend& backend) {
  const std::int64_t tokens = windows * spec.window, asked = tokens * 15 / 100;
  std::vector<std::int32_t> places(static_cast<std::size_t>(asked));
  for (std::int64_t i = 0; i < asked; ++i)
    places[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(i * tokens / asked);
  Batch batch;
  batch.inputs = turns(tokens, spec.vocabulary, {windows, spec.window}, backend);
  batch.labels = turns(asked, spec.vocabulary, {asked}, backend);
  batch.places = Tensor::from(places, {asked}, backend);
  batch.lengths = Tensor::from(
      std::vector<std::int32_t>(static_cast<std::size_t>(windows), static_cast<std::int32_t>(spec.window)),
      {windows}, backend);
  batch.samples = tokens;
  return batch;
}

// The model of the experiment in training on one batch.
struct StepBench {
  Backend& backend;
  std::unique_ptr<Module> model;
  std::unique_ptr<Optimizer> optimizer;
  Batch batch;

  StepBench(const Experiment& experiment, const DataSpec& data, std::int64_t size)
      : backend(backend_of(experiment)),
        model(build_model(experiment, data)),
        optimizer(build_optimizer(experiment, *model)),
        batch(std::visit([&](const auto& spec) { return make_batch(spec, size, backend); }, data)) {}

  Tensor loss() { return cross_entropy(model->logits(batch), batch.labels); }
  void step() {
    loss().backward();
    optimizer->step(0.01);
  }
};

void print_layers(const std::vector<SavedBytes>& layers, const std::string& format) {
  Table table{{{"layer"}, {"saved_bytes", Unit::bytes}}, {}};
  for (const SavedBytes& layer : layers)
    table.rows.push_back({layer.layer.empty() ? "loss" : layer.layer, layer.bytes});
  print(table, format);
}

}  // namespace

int bench_step_verb(const BenchStepArguments& arguments) {
  parse_table_format(arguments.format);
  const int threads = use_threads(static_cast<int>(arguments.threads), true);
  const ModelType& type = find_component("model", arguments.model, model_types());
  Experiment experiment;
  experiment.gemm = arguments.gemm;
  experiment.activation = ActivationHandle::parse(arguments.activation).spelled();
  experiment.model = {type.name, read_component_options("model", type.options, arguments.settings)};
  experiment.optimizer.options = Options(find_component("optimizer", "sgd", optimizer_types()).options);
  const DataSpec data = spec_for(type);
  StepBench bench(experiment, data, arguments.batch);
  const std::vector<SavedBytes> layers = saved_bytes_by_layer(bench.loss());
  if (arguments.by_layer) {
    print_layers(layers, arguments.format);
    return 0;
  }

  for (int i = 0; i < warmup_steps; ++i) bench.step();
  Memory& memory = bench.backend.memory;
  memory.reset_peak();
  const std::int64_t segments = memory.stats().segments_requested;
  std::vector<double> times;
  for (std::int64_t i = 0; i < arguments.repeats; ++i) times.push_back(seconds_of([&] { bench.step(); }));
  const MemoryStats stats = memory.stats();
  const double seconds = median(times);
  const std::int64_t saved =
      std::accumulate(layers.begin(), layers.end(), std::int64_t{0},
                      [](std::int64_t sum, const SavedBytes& l) { return sum + l.bytes; });
  const std::int64_t without = model_saved_bytes(*build_model(experiment, data, "identity"), bench.batch);
  const std::string throughput =
      std::holds_alternative<TextSpec>(data) ? "tokens_per_second" : "images_per_second";
  print({{"model", type.name},
         {"activation", experiment.activation},
         {"batch", arguments.batch},
         {"precision", "f32"},
         {"threads", std::int64_t{threads}},
         {"gemm", bench.backend.matmul.implementation()},
         {"isa", std::string(name_of(best_isa()))},
         {"seconds", seconds},
         {throughput, static_cast<double>(bench.batch.samples) / seconds},
         {"activation_bytes", saved - without},
         {"saved_bytes", saved},
         {"peak_bytes", stats.total.peak},
         {"new_segments", stats.segments_requested - segments}},
        {{"model"},
         {"activation"},
         {"batch"},
         {"precision"},
         {"threads"},
         {"gemm"},
         {"isa"},
         {"seconds", Unit::seconds},
         {throughput, Unit::per_second},
         {"activation_bytes", Unit::bytes},
         {"saved_bytes", Unit::bytes},
         {"peak_bytes", Unit::bytes},
         {"new_segments"}},
        arguments.format);
  return 0;
}

}  // namespace actlab
