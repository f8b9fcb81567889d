// actlab bench ffn: median of a feed-forward network's forward and backward pass.
#include "experiments/cli/log.h"
#include "experiments/cli/roofline.h"
#include "experiments/runner/device.h"
#include "experiments/runner/precision.h"
#include "experiments/runner/timing.h"
#include "framework/autograd/engine.h"
#include "framework/nn/feed_forward.h"
#include "kernels/cpu/threads.h"

namespace actlab {

int bench_ffn_verb(const BenchFfnArguments& arguments) {
  BenchReport report(arguments);
  const int threads = use_threads(static_cast<int>(arguments.threads), true);
  const ActivationHandle activation = ActivationHandle::parse(arguments.activation);
  Backend& backend = find_backend(usable_device(arguments.device, log_info), arguments.gemm,
                                  multiplication_of(arguments.precision));
  const std::string precision = usable_precision(arguments.precision, backend, log_warning);
  Initializer init(0, InitScheme::xavier, backend, compute_type(precision));
  FeedForward ffn(arguments.d, arguments.width, activation, init);
  Tensor x = normal_values({arguments.tokens, arguments.d}, DType::f32, 1, backend);
  x.require_grad();
  const auto pass = [&] {
    for (NamedParameter& parameter : ffn.parameters()) parameter.tensor.clear_grad();
    x.clear_grad();
    sum(ffn(x)).backward();
  };
  report.subject("activation", activation.spelled());
  report.subject("tokens", arguments.tokens);
  report.subject("d", arguments.d);
  report.subject("width", arguments.width);
  report.condition("precision", precision);
  add_conditions(report, threads, backend);
  const double seconds = median_seconds(arguments.repeats, backend.memory, pass);
  const std::int64_t saved = saved_bytes(sum(ffn(x)));
  // A weight takes part in three products of 2 operations a token: forward, and the gradients of both
  // factors. What is saved is written and read, each weight is read twice and its gradient written.
  const std::int64_t weights = (activation.gated() ? 3 : 2) * arguments.d * arguments.width;
  const Work work{static_cast<double>(2 * saved + 12 * weights),
                  6.0 * static_cast<double>(arguments.tokens) * static_cast<double>(weights)};

  report.measured("seconds", seconds, Unit::seconds);
  report.measured("gflops", work.operations / seconds * 1e-9);
  report.measured("saved_bytes", saved, Unit::bytes);
  if (arguments.roofline) add_roofline(report, {{"share", work, seconds}}, backend, init.precision());
  report.print();
  return 0;
}

}  // namespace actlab
