// A sum inside a function that is compiled for each instruction set: the same bits in all of them.
#pragma once

#include <algorithm>
#include <cstdint>

namespace actlab {

/// Sum of f(i) over [0, n): eight lanes in partials of 4,096 elements, added in order.
template <class F>
[[gnu::always_inline]] inline double sum_of(std::int64_t n, const F& f) {
  constexpr std::int64_t partial = 4096, lanes = 8;
  double total = 0;
  for (std::int64_t first = 0; first < n; first += partial) {
    const std::int64_t end = std::min(n, first + partial);
    double lane[lanes] = {};
    std::int64_t i = first;
    for (; i + lanes <= end; i += lanes)
      for (std::int64_t l = 0; l < lanes; ++l) lane[l] += f(i + l);
    for (std::int64_t l = 0; i < end; ++i, ++l) lane[l] += f(i);
    total += ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
  }
  return total;
}

}  // namespace actlab
