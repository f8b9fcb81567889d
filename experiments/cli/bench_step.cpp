// actlab bench step: a training step of a model.
#include <numeric>

#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/timing.h"
#include "experiments/cli/verbs.h"
#include "experiments/config/resolve.h"
#include "experiments/results/statistics.h"
#include "experiments/runner/build.h"
#include "experiments/runner/precision.h"
#include "framework/autograd/engine.h"
#include "framework/ops/ops.h"
#include "kernels/cpu/activation.h"
#include "kernels/cpu/threads.h"
#include "kernels/random.h"
#include "models/models.h"

namespace actlab {
namespace {

constexpr int warmup_steps = 3;
constexpr ImageSpec cifar{.height = 32, .width = 32, .channels = 3, .classes = 10};

// Random images with the classes in turns.
Batch random_batch(const ImageSpec& spec, std::int64_t images, Backend& backend) {
  std::vector<std::int32_t> classes(static_cast<std::size_t>(images));
  for (std::size_t i = 0; i < classes.size(); ++i)
    classes[i] = static_cast<std::int32_t>(i % static_cast<std::size_t>(spec.classes));
  Batch batch;
  batch.inputs = normal_values({images, spec.height, spec.width, spec.channels}, DType::f32, 1, backend);
  batch.labels = Tensor::from(classes, {images}, backend);
  batch.samples = images;
  return batch;
}

// Full windows of random tokens, of which every seventh, 14 %, is to be told from the others.
Batch random_batch(const TextSpec& spec, std::int64_t windows, Backend& backend) {
  const Random random(1, RandomPurpose::synthetic);
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(windows * spec.window)), labels, places;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    tokens[i] = static_cast<std::int32_t>(random.below(i, static_cast<std::uint32_t>(spec.vocabulary)));
    if (i % 7 != 0) continue;
    places.push_back(static_cast<std::int32_t>(i));
    labels.push_back(tokens[i]);
  }
  const std::vector<std::int32_t> lengths(static_cast<std::size_t>(windows),
                                          static_cast<std::int32_t>(spec.window));
  Batch batch;
  batch.inputs = Tensor::from(tokens, {windows, spec.window}, backend);
  batch.labels = Tensor::from(labels, {std::ssize(labels)}, backend);
  batch.places = Tensor::from(places, {std::ssize(places)}, backend);
  batch.lengths = Tensor::from(lengths, {windows}, backend);
  batch.samples = windows * spec.window;
  return batch;
}

// The model of the experiment in training on one random batch.
struct StepBench {
  Backend& backend;
  std::unique_ptr<Module> model;
  std::unique_ptr<Optimizer> optimizer;
  Batch batch;

  StepBench(const Experiment& experiment, const DataSpec& data, std::int64_t count)
      : backend(backend_of(experiment)),
        model(build_model(experiment, data)),
        optimizer(build_optimizer(experiment, *model)),
        batch(std::visit([&](const auto& spec) { return random_batch(spec, count, backend); }, data)) {}

  Tensor loss() { return cross_entropy(model->logits(batch), batch.labels); }
  void step() {
    loss().backward();
    optimizer->step(0.01);
  }
};

Experiment experiment_of(const BenchStepArguments& arguments) {
  for (const std::string& setting : arguments.settings)
    if (!setting.starts_with("model.") && !setting.starts_with("optimizer.") && !setting.starts_with("fuse="))
      throw ConfigError(concat("bench step: '", setting,
                               "': takes options of the model and the optimizer, such as "
                               "model.widths=[8,8], and fuse=false"));
  Settings settings;
  add_arguments({"model.name=" + arguments.model, "model.activation=" + arguments.activation,
                 "gemm=" + arguments.gemm, "precision=" + arguments.precision},
                settings);
  add_arguments(arguments.settings, settings);
  return with_usable_precision({resolve(settings.settings, known_schemas())}, log_warning).front();
}

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
  const Experiment experiment = experiment_of(arguments);
  const ModelType& type = find_component("model", experiment.model.name, model_types());
  const bool text = std::holds_alternative<MakeModel<TextSpec>>(type.make);
  const DataSpec data = text ? DataSpec(TextSpec{arguments.window, arguments.vocabulary}) : DataSpec(cifar);
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
  const std::string rate = text ? "tokens_per_second" : "images_per_second";
  print({{"model", arguments.model},
         {"activation", experiment.activation},
         {"batch", arguments.batch},
         {"precision", experiment.precision},
         {"threads", std::int64_t{threads}},
         {"gemm", bench.backend.matmul.implementation()},
         {"isa", std::string(name_of(best_isa()))},
         {"seconds", seconds},
         {rate, static_cast<double>(bench.batch.samples) / seconds},
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
         {rate, Unit::per_second},
         {"activation_bytes", Unit::bytes},
         {"saved_bytes", Unit::bytes},
         {"peak_bytes", Unit::bytes},
         {"new_segments"}},
        arguments.format);
  return 0;
}

}  // namespace actlab
