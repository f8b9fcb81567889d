// actlab bench ffn: median of a feed-forward network's forward and backward pass.
#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/timing.h"
#include "experiments/cli/verbs.h"
#include "experiments/results/statistics.h"
#include "experiments/runner/precision.h"
#include "framework/autograd/engine.h"
#include "framework/nn/feed_forward.h"
#include "kernels/cpu/threads.h"

namespace actlab {
namespace {

constexpr int warmup_passes = 3;

}  // namespace

int bench_ffn_verb(const BenchFfnArguments& arguments) {
  parse_table_format(arguments.format);
  const int threads = use_threads(static_cast<int>(arguments.threads), true);
  const ActivationHandle activation = ActivationHandle::parse(arguments.activation);
  Backend& backend = find_backend("cpu", arguments.gemm);
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

  for (int i = 0; i < warmup_passes; ++i) pass();
  std::vector<double> times;
  for (std::int64_t i = 0; i < arguments.repeats; ++i) times.push_back(seconds_of(pass));
  const double seconds = median(times);
  // A weight takes part in three products of 2 operations a token: forward, and the gradients of both
  // factors.
  const std::int64_t weights = (activation.gated() ? 3 : 2) * arguments.d * arguments.width;
  const double operations = 6.0 * static_cast<double>(arguments.tokens) * static_cast<double>(weights);
  print({{"activation", arguments.activation},
         {"tokens", arguments.tokens},
         {"d", arguments.d},
         {"width", arguments.width},
         {"precision", precision},
         {"threads", std::int64_t{threads}},
         {"gemm", backend.matmul.implementation()},
         {"isa", std::string(name_of(best_isa()))},
         {"seconds", seconds},
         {"gflops", operations / seconds * 1e-9},
         {"saved_bytes", saved_bytes(sum(ffn(x)))}},
        {{"activation"},
         {"tokens"},
         {"d"},
         {"width"},
         {"precision"},
         {"threads"},
         {"gemm"},
         {"isa"},
         {"seconds", Unit::seconds},
         {"gflops"},
         {"saved_bytes", Unit::bytes}},
        arguments.format);
  return 0;
}

}  // namespace actlab
