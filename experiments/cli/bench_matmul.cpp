// actlab bench matmul: the rate of one product.
#include <array>

#include "experiments/cli/log.h"
#include "experiments/cli/roofline.h"
#include "experiments/runner/device.h"
#include "experiments/runner/precision.h"
#include "experiments/runner/timing.h"
#include "framework/core/tensor.h"
#include "kernels/cpu/threads.h"

namespace actlab {

int bench_matmul_verb(const BenchMatmulArguments& arguments) {
  BenchReport report(arguments);
  const int threads = use_threads(static_cast<int>(arguments.threads), true);
  Backend& backend = find_backend(usable_device(arguments.device, log_info), arguments.gemm,
                                  multiplication_of(arguments.precision));
  const std::string precision = usable_precision(arguments.precision, backend, log_warning);
  const DType type = compute_type(precision);
  const auto [m, n, k] = std::array{arguments.m, arguments.n, arguments.k};
  const auto matrix = [&](std::int64_t rows, std::int64_t columns, bool transposed, std::uint64_t seed) {
    return normal_values(transposed ? Shape{columns, rows} : Shape{rows, columns}, type, seed, backend);
  };
  const Tensor a = matrix(m, k, arguments.transpose_a, 1), b = matrix(k, n, arguments.transpose_b, 2);
  Tensor y = matrix(m, n, false, 3);
  report.subject("m", m);
  report.subject("n", n);
  report.subject("k", k);
  report.subject("transpose_a", arguments.transpose_a);
  report.subject("transpose_b", arguments.transpose_b);
  report.condition("precision", precision);
  add_conditions(report, threads, backend);
  const double seconds = median_seconds(arguments.repeats, backend.memory, [&] {
    backend.matmul.matmul(a.data(), arguments.transpose_a, b.data(), arguments.transpose_b, {},
                          y.mutable_data());
  });
  const Work work{static_cast<double>(a.bytes() + b.bytes() + y.bytes()),
                  2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k)};

  report.measured("seconds", seconds, Unit::seconds);
  report.measured("gflops", work.operations / seconds * 1e-9);
  if (arguments.roofline) add_roofline(report, {{"share", work, seconds}}, backend, type);
  report.print();
  return 0;
}

}  // namespace actlab
