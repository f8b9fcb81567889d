// Measures bandwidth by a copy and the arithmetic rate by matmul.
#include "experiments/cli/roofline.h"

#include <algorithm>

#include "experiments/runner/timing.h"
#include "framework/core/tensor.h"

namespace actlab {
namespace {

constexpr std::int64_t beyond_caches = std::int64_t{1} << 25;
constexpr int repeats = 9;

}  // namespace

double Roofline::share(const Work& work, double seconds) const {
  return std::max(work.bytes / bandwidth, work.operations / gemm) / seconds;
}

Roofline measure_roofline(Backend& backend, DType products) {
  const Tensor x = normal_values({beyond_caches}, DType::f32, 1, backend);
  Tensor y = normal_values({beyond_caches}, DType::f32, 2, backend);  // touched, so that no page is fresh
  const double copy =
      median_seconds(repeats, backend.memory, [&] { backend.elementwise.cast(x.data(), y.mutable_data()); });

  // Large enough that a device spends its time on it and not on its start.
  const std::int64_t side = backend.memory.on_host() ? 1024 : 4096;
  const Tensor a = normal_values({side, side}, products, 3, backend),
               b = normal_values({side, side}, products, 4, backend);
  Tensor c = normal_values({side, side}, products, 5, backend);
  const double product = median_seconds(repeats, backend.memory, [&] {
    backend.matmul.matmul(a.data(), false, b.data(), false, {}, c.mutable_data());
  });
  return {static_cast<double>(x.bytes() + y.bytes()) / copy,
          2.0 * static_cast<double>(side * side * side) / product};
}

void add_roofline(BenchReport& report, const std::vector<TimedWork>& timed, Backend& backend,
                  DType products) {
  const Roofline roofline = measure_roofline(backend, products);
  report.measured("bandwidth_gbs", roofline.bandwidth * 1e-9);
  report.measured("gemm_gflops", roofline.gemm * 1e-9);
  for (const auto& [name, work, seconds] : timed)
    report.measured(name, roofline.share(work, seconds), Unit::percent);
}

}  // namespace actlab
