// actlab bench step: a training step of a model.
#include <numeric>

#include "experiments/cli/counted_backend.h"
#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/roofline.h"
#include "experiments/cli/step_bench.h"
#include "experiments/config/resolve.h"
#include "experiments/results/statistics.h"
#include "experiments/runner/build.h"
#include "experiments/runner/device.h"
#include "experiments/runner/precision.h"
#include "experiments/runner/timing.h"
#include "framework/autograd/engine.h"
#include "kernels/cpu/threads.h"
#include "models/models.h"

namespace actlab {
namespace {

constexpr int warmup_steps = 3;

// What is saved is written and read; a parameter is read for the products of both passes and for the update,
// written by it, and its gradient written and read.
Work work_of(const Experiment& experiment, const DataSpec& data, std::int64_t count, std::int64_t saved,
             Backend& backend) {
  CountedBackend counted(backend);
  StepBench bench(experiment, data, count, counted.backend());
  bench.step();
  std::int64_t parameters = 0;
  for (const auto& [name, tensor] : bench.model().parameters()) parameters += tensor.bytes();
  return {static_cast<double>(2 * saved + 6 * parameters), static_cast<double>(counted.operations())};
}

Experiment experiment_of(const BenchStepArguments& arguments) {
  for (const std::string& setting : arguments.settings)
    if (!setting.starts_with("model.") && !setting.starts_with("optimizer.") && !setting.starts_with("fuse="))
      throw ConfigError(concat("bench step: '", setting,
                               "': takes options of the model and the optimizer, such as "
                               "model.widths=[8,8], and fuse=false"));
  Settings settings;
  add_arguments({"model.name=" + arguments.model, "model.activation=" + arguments.activation,
                 "device=" + arguments.device, "gemm=" + arguments.gemm, "precision=" + arguments.precision},
                settings);
  add_arguments(arguments.settings, settings);
  return with_usable_precision(with_usable_device({resolve(settings.settings, known_schemas())}, log_info),
                               log_warning)
      .front();
}

// The options that are not at their defaults: they say what is timed.
std::string options_of(const Experiment& experiment) {
  std::string text;
  for (const ComponentChoice* choice : {&experiment.model, &experiment.optimizer})
    for (const Option& option : choice->options.declared())
      if (const OptionValue& value = choice->options.value(option.name); value != option.fallback)
        text += concat(text.empty() ? "" : " ", option.name, "=", to_literal(value));
  return text;
}

void print_layers(const std::vector<SavedBytes>& layers, const std::string& format) {
  Table table{{{"layer"}, {"saved_bytes", Unit::bytes}}, {}};
  for (const SavedBytes& layer : layers)
    table.rows.push_back({layer.layer.empty() ? "loss" : layer.layer, layer.bytes});
  print(table, format);
}

}  // namespace

int bench_step_verb(const BenchStepArguments& arguments) {
  if (arguments.by_layer && (arguments.roofline || arguments.compare))
    throw ConfigError("bench step: --by-layer times nothing; leave --roofline and --compare out");
  BenchReport report(arguments);
  const int threads = use_threads(static_cast<int>(arguments.threads), true);
  const Experiment experiment = experiment_of(arguments);
  const ModelType& type = find_component("model", experiment.model.name, model_types());
  const bool text = std::holds_alternative<MakeModel<TextSpec>>(type.make);
  const DataSpec data =
      text ? DataSpec(TextSpec{arguments.window, arguments.vocabulary}) : DataSpec(cifar_images);
  Backend& backend = backend_of(experiment);
  report.subject("model", arguments.model);
  report.subject("activation", experiment.activation);
  report.subject("options", options_of(experiment));
  report.subject("batch", arguments.batch);
  if (text) report.subject("window", arguments.window);
  if (text) report.subject("vocabulary", arguments.vocabulary);
  report.condition("precision", experiment.precision);
  report.condition("fuse", experiment.fuse);
  add_conditions(report, threads, backend);
  StepBench bench(experiment, data, arguments.batch, backend);
  const std::vector<SavedBytes> layers = saved_bytes_by_layer(bench.loss());
  if (arguments.by_layer) {
    print_layers(layers, arguments.format);
    return 0;
  }

  for (int i = 0; i < warmup_steps; ++i) bench.step();
  backend.memory.reset_peak();
  const std::int64_t segments = backend.memory.stats().segments_requested;
  std::vector<double> times;
  for (std::int64_t i = 0; i < arguments.repeats; ++i)
    times.push_back(seconds_of(backend.memory, [&] { bench.step(); }));
  const MemoryStats stats = backend.memory.stats();
  const double seconds = median(times);
  const std::int64_t saved =
      std::accumulate(layers.begin(), layers.end(), std::int64_t{0},
                      [](std::int64_t sum, const SavedBytes& l) { return sum + l.bytes; });

  report.measured("seconds", seconds, Unit::seconds);
  report.measured(text ? "tokens_per_second" : "images_per_second",
                  static_cast<double>(bench.batch().samples) / seconds, Unit::per_second);
  report.measured("activation_bytes", activation_bytes(experiment, bench.batch(), data, saved), Unit::bytes);
  report.measured("saved_bytes", saved, Unit::bytes);
  report.measured("peak_bytes", stats.total.peak, Unit::bytes);
  report.measured("new_segments", stats.segments_requested - segments);
  if (arguments.roofline)
    add_roofline(report, {{"share", work_of(experiment, data, arguments.batch, saved, backend), seconds}},
                 backend, compute_type(experiment.precision));
  report.print();
  return 0;
}

}  // namespace actlab
