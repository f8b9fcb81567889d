// actlab bench conv: the rates of a convolution's three passes.
#include <tuple>

#include "experiments/cli/log.h"
#include "experiments/cli/roofline.h"
#include "experiments/runner/device.h"
#include "experiments/runner/precision.h"
#include "experiments/runner/timing.h"
#include "framework/core/tensor.h"
#include "kernels/cpu/threads.h"

namespace actlab {

int bench_conv_verb(const BenchConvArguments& arguments) {
  BenchReport report(arguments);
  const ConvolutionSizes sizes{.batch = arguments.batch,
                               .height = arguments.size,
                               .width = arguments.size,
                               .in_channels = arguments.in,
                               .out_channels = arguments.out,
                               .kernel_h = arguments.kernel,
                               .kernel_w = arguments.kernel,
                               .stride_h = arguments.stride,
                               .stride_w = arguments.stride,
                               .pad_h = arguments.padding,
                               .pad_w = arguments.padding};
  if (arguments.kernel > arguments.size + 2 * arguments.padding)
    throw ConfigError(concat("bench conv: a kernel of ", arguments.kernel, " does not fit an image of ",
                             arguments.size, " with a padding of ", arguments.padding));
  const int threads = use_threads(static_cast<int>(arguments.threads), true);
  Backend& backend = find_backend(usable_device(arguments.device, log_info), arguments.gemm,
                                  multiplication_of(arguments.precision));
  const std::string precision = usable_precision(arguments.precision, backend, log_warning);
  const DType type = compute_type(precision);
  const auto array = [&](const Shape& shape, std::uint64_t seed) {
    return normal_values(shape, type, seed, backend);
  };
  Tensor x = array({sizes.batch, sizes.height, sizes.width, sizes.in_channels}, 1);
  const Tensor w = array({sizes.out_channels, sizes.kernel_h, sizes.kernel_w, sizes.in_channels}, 2);
  Tensor bias = normal_values({sizes.out_channels}, DType::f32, 3, backend);
  Tensor dw = normal_values(w.shape(), DType::f32, 5, backend);  // of parameters, which are f32
  Tensor y = array({sizes.batch, sizes.out_height(), sizes.out_width(), sizes.out_channels}, 4);

  ConvolutionKernels& kernels = backend.convolution;
  report.subject("batch", arguments.batch);
  report.subject("size", arguments.size);
  report.subject("in", arguments.in);
  report.subject("out", arguments.out);
  report.subject("kernel", arguments.kernel);
  report.subject("stride", arguments.stride);
  report.subject("padding", arguments.padding);
  report.condition("precision", precision);
  add_conditions(report, threads, backend);
  report.condition("convolution", kernels.implementation());

  const double forward = median_seconds(arguments.repeats, backend.memory, [&] {
    kernels.forward(sizes, x.data(), w.data(), bias.data(), y.mutable_data());
  });
  const double by_data = median_seconds(arguments.repeats, backend.memory, [&] {
    kernels.backward_data(sizes, y.data(), w.data(), x.mutable_data());
  });
  const double by_weights = median_seconds(arguments.repeats, backend.memory, [&] {
    kernels.backward_weights(sizes, x.data(), y.data(), dw.mutable_data(), bias.mutable_data());
  });
  // A pass moves the three arrays once, and is the same products summed another way.
  const Work work{static_cast<double>(x.bytes() + w.bytes() + y.bytes()),
                  2.0 * static_cast<double>(y.count()) * static_cast<double>(w.count() / sizes.out_channels)};

  const std::tuple<std::string, double> passes[] = {
      {"forward", forward}, {"by_data", by_data}, {"by_weights", by_weights}};
  std::vector<TimedWork> timed;
  for (const auto& [pass, seconds] : passes) {
    report.measured(pass + "_seconds", seconds, Unit::seconds);
    report.measured(pass + "_gflops", work.operations / seconds * 1e-9);
    timed.push_back({pass + "_share", work, seconds});
  }
  if (arguments.roofline) add_roofline(report, timed, backend, type);
  report.print();
  return 0;
}

}  // namespace actlab
