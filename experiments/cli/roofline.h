// The machine's own limits, measured: no kernel is faster than the memory it moves and the sums it does.
#pragma once

#include <string>
#include <vector>

#include "experiments/cli/bench_report.h"
#include "kernels/backend.h"

namespace actlab {

/// What a computation cannot do without.
struct Work {
  double bytes;  ///< read and written once each
  double operations;
};

/// Medians of a backend on this machine and these threads, in this run. What lies in the caches may move
/// faster, and small work may wait for other things: a share may exceed 1.
struct Roofline {
  double bandwidth;  ///< bytes a second, of reading and writing arrays beyond the caches
  double gemm;       ///< operations a second, of a large product of the type

  /// The least time of the work over the time that it took.
  double share(const Work& work, double seconds) const;
};

/// Allocates and reads 0.3 GB.
Roofline measure_roofline(Backend& backend, DType products = DType::f32);

/// A share of a report, by name.
struct TimedWork {
  std::string name;
  Work work;
  double seconds;
};

/// Measures the roofline and adds its two numbers and the shares of it that were reached.
void add_roofline(BenchReport& report, const std::vector<TimedWork>& timed, Backend& backend,
                  DType products = DType::f32);

}  // namespace actlab
