// The checks of indices, lengths and labels that lie in device memory, before any of them is used as one. The
// host waits for the answer. For .cu files.
#pragma once

#include <array>
#include <limits>

#include "kernels/array.h"
#include "kernels/cuda/reduce.h"
#include "kernels/memory.h"

namespace actlab::cuda {
namespace {

/// What `ignored` is where every value counts: no i32.
inline constexpr std::int64_t none_ignored = std::numeric_limits<std::int64_t>::min();

/// What a check of n values found.
struct Found {
  std::int64_t first_outside;  ///< place of the first wrong value; n where there is none
  std::int64_t ignored;        ///< number of ignored ones
};

__global__ void __launch_bounds__(block_threads)
    check_kernel(std::int64_t n, const std::int32_t* values, std::int64_t least, std::int64_t most,
                 std::int64_t ignored, Found* found) {
  Found here{n, 0};
  for (std::int64_t i = first_piece(); i < n; i += piece_step()) {
    const std::int32_t value = values[i];
    if (value == ignored)
      ++here.ignored;
    else if ((value < least || value > most) && i < here.first_outside)
      here.first_outside = i;
  }
  here = {team_min(here.first_outside), team_sum(here.ignored)};
  if (threadIdx.x == 0) found[blockIdx.x] = here;
}

/// Looks for i32 values that are neither in [least, most] nor `ignored`.
inline Found check_values(Memory& memory, const char* operation, ConstArray values, std::int64_t least,
                          std::int64_t most, std::int64_t ignored = none_ignored) {
  constexpr std::int64_t most_blocks = 64, values_of_a_block = 4096;
  const std::int64_t n = values.count();
  const std::int64_t blocks = std::min(most_blocks, (n + values_of_a_block - 1) / values_of_a_block);
  const std::int64_t bytes = blocks * std::int64_t{sizeof(Found)};
  const Buffer scratch(memory, bytes, MemoryKind::workspace);
  launch(operation, check_kernel, block_for_each(blocks), n, values.as<std::int32_t>(), least, most, ignored,
         static_cast<Found*>(scratch.data()));
  std::array<Found, most_blocks> parts;
  memory.copy_to_host(parts.data(), scratch.data(), bytes);
  Found all{n, 0};
  for (std::int64_t i = 0; i < blocks; ++i) {
    const Found& part = parts[static_cast<std::size_t>(i)];
    all = {std::min(all.first_outside, part.first_outside), all.ignored + part.ignored};
  }
  return all;
}

inline std::int32_t value_at(Memory& memory, ConstArray values, std::int64_t place) {
  std::int32_t value = 0;
  memory.copy_to_host(&value, values.as<std::int32_t>() + place, sizeof value);
  return value;
}

/// As actlab::checked_indices: i32 values, each in [least, most]; throws Error with the first that is not,
/// called `name`, and its place.
inline const std::int32_t* checked_indices(Memory& memory, const char* operation, const char* name,
                                           ConstArray values, std::int64_t least, std::int64_t most) {
  const std::int64_t place = check_values(memory, operation, values, least, most).first_outside;
  ACTLAB_CHECK(place == values.count(), operation, ": ", name, " ", value_at(memory, values, place),
               " at place ", place, " is outside [", least, ", ", most, "]");
  return values.as<std::int32_t>();
}

}  // namespace
}  // namespace actlab::cuda
