// actlab bench: medians of a training step, and of activation kernels beside ReLU's.
#include <algorithm>
#include <chrono>
#include <numeric>

#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"
#include "experiments/results/statistics.h"
#include "experiments/runner/build.h"
#include "framework/autograd/engine.h"
#include "framework/ops/ops.h"
#include "kernels/cpu/activation.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/threads.h"
#include "kernels/random.h"

namespace actlab {
namespace {

constexpr int warmup_steps = 3;

template <class F>
double seconds_of(const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Standard normal values, written by the threads that will read them, so that pages lie with their cores.
Tensor normal_values(const Shape& shape, DType dtype, std::uint64_t seed, Backend& backend) {
  Tensor values = Tensor::empty(shape, DType::f32, backend, MemoryKind::temporaries);
  float* out = values.mutable_data().as<float>();
  parallel_for(values.count(), 4096,
               [=, random = Random(seed, RandomPurpose::synthetic)](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i)
                   out[i] = static_cast<float>(random.normal(static_cast<std::uint64_t>(i)));
               });
  return dtype == DType::f32 ? values : cast(values, dtype);
}

// Random images with the classes in turns.
Batch image_batch(const ImageSpec& spec, std::int64_t images, Backend& backend) {
  std::vector<std::int32_t> classes(static_cast<std::size_t>(images));
  for (std::size_t i = 0; i < classes.size(); ++i)
    classes[i] = static_cast<std::int32_t>(i % static_cast<std::size_t>(spec.classes));
  Batch batch;
  batch.inputs = normal_values({images, spec.height, spec.width, spec.channels}, DType::f32, 1, backend);
  batch.labels = Tensor::from(classes, {images}, backend);
  batch.samples = images;
  return batch;
}

// The model of the experiment in training on one batch of random images.
struct StepBench {
  Backend& backend;
  std::unique_ptr<Module> model;
  std::unique_ptr<Optimizer> optimizer;
  Batch batch;

  StepBench(const Experiment& experiment, const ImageSpec& spec, std::int64_t images)
      : backend(backend_of(experiment)),
        model(build_model(experiment, spec)),
        optimizer(build_optimizer(experiment, *model)),
        batch(image_batch(spec, images, backend)) {}

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
  Experiment experiment;
  experiment.gemm = arguments.gemm;
  experiment.activation = ActivationHandle::parse(arguments.activation).spelled();
  experiment.model = {arguments.model,
                      Options(find_component("model", arguments.model, known_schemas().models).options)};
  experiment.optimizer.options = Options(find_component("optimizer", "sgd", optimizer_types()).options);
  const ImageSpec cifar{.height = 32, .width = 32, .channels = 3, .classes = 10};
  StepBench bench(experiment, cifar, arguments.batch);
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
  const std::int64_t without = model_saved_bytes(*build_model(experiment, cifar, "identity"), bench.batch);
  print({{"model", arguments.model},
         {"activation", experiment.activation},
         {"batch", arguments.batch},
         {"precision", "f32"},
         {"threads", std::int64_t{threads}},
         {"gemm", bench.backend.matmul.implementation()},
         {"isa", std::string(name_of(best_isa()))},
         {"seconds", seconds},
         {"images_per_second", static_cast<double>(arguments.batch) / seconds},
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
         {"images_per_second", Unit::per_second},
         {"activation_bytes", Unit::bytes},
         {"saved_bytes", Unit::bytes},
         {"peak_bytes", Unit::bytes},
         {"new_segments"}},
        arguments.format);
  return 0;
}

int bench_kernel_verb(const BenchKernelArguments& arguments) {
  parse_table_format(arguments.format);
  const DType dtype = parse_dtype(arguments.dtype);
  if (dtype != DType::f32 && dtype != DType::bf16 && dtype != DType::f16)
    throw ConfigError(concat("bench kernel: --dtype ", dtype, " is not one of f32, bf16, f16"));
  const Isa isa = arguments.isa.empty() ? best_isa() : parse_isa(arguments.isa);
  const auto kernels = make_cpu_activation(isa);
  const int threads = use_threads(static_cast<int>(arguments.threads), true);
  const ActivationHandle activation = ActivationHandle::parse(arguments.activation),
                         relu = ActivationHandle::parse("relu");
  if (activation.gated())
    throw ConfigError(concat("bench kernel: '", arguments.activation, "' is a gated form; name '",
                             activation.info().name, "'"));
  Backend& backend = find_backend("cpu");
  const Tensor x = normal_values({arguments.elements}, dtype, 1, backend);
  const Tensor dy = normal_values({arguments.elements}, dtype, 2, backend);
  Tensor y = normal_values({arguments.elements}, dtype, 3, backend);  // touched, so that no page is fresh

  const auto forward = [&](const ActivationHandle& a) { kernels->forward(a, x.data(), y.mutable_data()); };
  const auto backward = [&](const ActivationHandle& a) {
    kernels->backward(a, x.data(), dy.data(), y.mutable_data());
  };
  std::vector<double> times[4];
  for (std::int64_t i = -2; i < arguments.repeats; ++i) {  // two rounds to warm up
    const double round[] = {seconds_of([&] { forward(activation); }), seconds_of([&] { forward(relu); }),
                            seconds_of([&] { backward(activation); }), seconds_of([&] { backward(relu); })};
    for (int k = 0; k < 4 && i >= 0; ++k) times[k].push_back(round[k]);
  }
  const double bytes = static_cast<double>(arguments.elements) * static_cast<double>(size_of(dtype));
  const auto rate = [&](int arrays, const std::vector<double>& seconds) {
    return arrays * bytes / median(seconds) * 1e-9;
  };
  print({{"activation", activation.spelled()},
         {"elements", arguments.elements},
         {"dtype", std::string(name_of(dtype))},
         {"isa", std::string(name_of(isa))},
         {"threads", std::int64_t{threads}},
         {"gbs_forward", rate(2, times[0])},
         {"gbs_backward", rate(3, times[2])},
         {"relu_gbs_forward", rate(2, times[1])},
         {"relu_gbs_backward", rate(3, times[3])}},
        {{"activation"},
         {"elements"},
         {"dtype"},
         {"isa"},
         {"threads"},
         {"gbs_forward"},
         {"gbs_backward"},
         {"relu_gbs_forward"},
         {"relu_gbs_backward"}},
        arguments.format);
  return 0;
}

}  // namespace actlab
