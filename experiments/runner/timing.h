// A clock for calls, and arrays of random numbers to time them on.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

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

/// The medians of `repeats` timings of each of some passes, taken in turns after two rounds that warm up.
std::vector<double> medians_in_turns(std::int64_t repeats, Memory& memory,
                                     const std::vector<std::function<void()>>& passes);
/// The same of one pass.
double median_seconds(std::int64_t repeats, Memory& memory, const std::function<void()>& pass);

/// Standard normal values, written by the threads that will read them, so that pages lie with their cores.
Tensor normal_values(const Shape& shape, DType dtype, std::uint64_t seed, Backend& backend);

}  // namespace actlab
