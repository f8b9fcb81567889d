// What the benchmarks share: a clock, and arrays of random numbers.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "experiments/results/statistics.h"
#include "framework/core/tensor.h"

namespace actlab {

/// Wall time of one call on arrays of `memory`; on a device, of which the program runs ahead, the mean of
/// calls that follow each other as in training.
template <class F>
double seconds_of(Memory& memory, const F& f) {
  const int calls = memory.on_host() ? 1 : 20;
  memory.wait();
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) f();
  memory.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / calls;
}

/// The median of `repeats` timings, after two that warm up.
template <class F>
double median_seconds(std::int64_t repeats, Memory& memory, const F& f) {
  std::vector<double> times;
  for (std::int64_t i = -2; i < repeats; ++i) {
    const double seconds = seconds_of(memory, f);
    if (i >= 0) times.push_back(seconds);
  }
  return median(times);
}

/// Standard normal values, written by the threads that will read them, so that pages lie with their cores.
Tensor normal_values(const Shape& shape, DType dtype, std::uint64_t seed, Backend& backend);

}  // namespace actlab
