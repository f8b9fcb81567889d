// Splits a loop over the OpenMP threads. Never include this in the per-instruction-set objects.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>

namespace actlab {

/// Least work that is worth a thread, in elements.
inline constexpr std::int64_t elements_a_part = 16'384;

/// The same in rows of `width` elements.
inline std::int64_t rows_a_part(std::int64_t width) {
  return std::max<std::int64_t>(1, elements_a_part / std::max<std::int64_t>(1, width));
}

/// Runs f(begin, end) over contiguous parts of [0, n), one part a thread, part borders at multiples of
/// `grain`. Serial where n <= grain or inside another parallel region. f must not throw.
template <class F>
void parallel_for(std::int64_t n, std::int64_t grain, const F& f) {
  const std::int64_t blocks = (n + grain - 1) / grain;
  const int threads = static_cast<int>(std::min<std::int64_t>(blocks, omp_get_max_threads()));
  if (threads <= 1 || omp_in_parallel() != 0) {
    if (n > 0) f(std::int64_t{0}, n);
    return;
  }
#pragma omp parallel num_threads(threads)
  {
    const std::int64_t part = omp_get_thread_num();
    const std::int64_t parts = omp_get_num_threads();
    const std::int64_t begin = blocks * part / parts * grain;
    const std::int64_t end = std::min(n, blocks * (part + 1) / parts * grain);
    if (begin < end) f(begin, end);
  }
}

}  // namespace actlab
