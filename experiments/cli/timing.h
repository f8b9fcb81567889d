// What the benchmarks share: a clock, and arrays of random numbers.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "experiments/results/statistics.h"
#include "framework/core/tensor.h"

namespace actlab {

/// Wall time of one call.
template <class F>
double seconds_of(const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The median of `repeats` calls, after two that warm up.
template <class F>
double median_seconds(std::int64_t repeats, const F& f) {
  std::vector<double> times;
  for (std::int64_t i = -2; i < repeats; ++i) {
    const double seconds = seconds_of(f);
    if (i >= 0) times.push_back(seconds);
  }
  return median(times);
}

/// Standard normal values, written by the threads that will read them, so that pages lie with their cores.
Tensor normal_values(const Shape& shape, DType dtype, std::uint64_t seed, Backend& backend);

}  // namespace actlab
