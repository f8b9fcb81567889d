// Indices, lengths and labels that lie in device memory, made safe to use before their values are known to
// the host. For .cu files.
#pragma once

#include <limits>

#include "kernels/array.h"
#include "kernels/cuda/fault.h"
#include "kernels/cuda/reduce.h"
#include "kernels/memory.h"

namespace actlab::cuda {
namespace {

/// What `ignored` is where every value counts: no i32.
inline constexpr std::int64_t none_ignored = std::numeric_limits<std::int64_t>::min();

inline constexpr int check_threads = 1024;

// One block, so that `record` gets the first wrong value.
__global__ void __launch_bounds__(check_threads)
    check_kernel(std::int64_t n, const std::int32_t* __restrict__ values, std::int64_t ignored, Fault fault,
                 std::int32_t* __restrict__ safe, std::int64_t* counted, Fault* record) {
  std::int64_t first = n, count = 0;
#pragma unroll 4
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) {
    const std::int32_t value = values[i];
    const bool counts = value != ignored;
    if (counts) ++count;
    const bool outside = counts && (value < fault.least || value > fault.most);
    if (outside && i < first) first = i;
    const double nearest = value < fault.least ? fault.least : fault.most;
    safe[i] = outside ? static_cast<std::int32_t>(nearest) : value;
  }
  first = team_min(first);
  count = team_sum(count);
  if (threadIdx.x != 0) return;
  *counted = count;
  if (first < n) report(fault, first, static_cast<double>(values[first]), record);
}

/// A copy of i32 values in which each is in [least, most] or `ignored`: one that is not has become the
/// nearest that is. The next wait for the device throws the first such value. For kernels that are launched
/// while this lives.
class SafeIndices {
 public:
  /// None: values() is null.
  SafeIndices() = default;
  /// `fault` is what is thrown, but for value and place. Waits only where no value would do, least > most.
  SafeIndices(Memory& memory, const Fault& fault, ConstArray values, std::int64_t ignored = none_ignored)
      : buffer_(memory,
                std::int64_t{sizeof(std::int64_t)} + values.count() * std::int64_t{sizeof(std::int32_t)},
                MemoryKind::workspace) {
    const std::int64_t n = values.count();
    const int threads = n <= block_threads ? block_threads : check_threads;
    launch(fault.operation, check_kernel, block_for_each(1, threads), n, values.as<std::int32_t>(), ignored,
           fault, static_cast<std::int32_t*>(static_cast<void*>(counted() + 1)), counted(), fault_record());
    if (fault.least > fault.most) memory.wait();
  }

  const std::int32_t* values() const {
    return buffer_.data() == nullptr ? nullptr
                                     : static_cast<const std::int32_t*>(static_cast<void*>(counted() + 1));
  }
  /// One number: how many values are not ignored.
  std::int64_t* counted() const { return static_cast<std::int64_t*>(buffer_.data()); }

 private:
  Buffer buffer_;
};

/// As texts have it: not in the form of a double.
inline std::int64_t whole(double value) { return static_cast<std::int64_t>(value); }

inline std::string index_text(const Fault& f) {
  return concat(f.operation, ": ", f.name, " ", whole(f.value), " at place ", f.place, " is outside [",
                whole(f.least), ", ", whole(f.most), "]");
}

/// As actlab::checked_indices, in the way of SafeIndices: values in [least, most], of which a wrong one is
/// called `name`.
inline SafeIndices safe_indices(Memory& memory, const char* operation, const char* name, ConstArray values,
                                std::int64_t least, std::int64_t most) {
  return {memory,
          {.text = index_text,
           .operation = operation,
           .name = name,
           .least = static_cast<double>(least),
           .most = static_cast<double>(most)},
          values};
}

}  // namespace
}  // namespace actlab::cuda
