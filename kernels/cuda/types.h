// Choosing a kernel by element type, or by the width of a copy.
#pragma once

#include <cuda_runtime.h>

#include <string_view>

#include "kernels/f32.h"

namespace actlab::cuda {

/// Calls f with a value of the element type, one of f32, bf16, f16; throws Error for the others.
template <class F>
void for_float(std::string_view operation, DType dtype, const F& f) {
  if (dtype == DType::bf16) return f(BFloat16{});
  if (dtype == DType::f16) return f(Float16{});
  check_f32(operation, dtype);
  f(float{});
}

/// Calls f with a value of the widest type that copies of `bytes` bytes can go by.
template <class F>
void for_unit(std::uint64_t bytes, const F& f) {
  if (bytes % 16 == 0) return f(uint4{});
  if (bytes % 8 == 0) return f(std::uint64_t{});
  if (bytes % 4 == 0) return f(std::uint32_t{});
  if (bytes % 2 == 0) return f(std::uint16_t{});
  f(std::uint8_t{});
}

}  // namespace actlab::cuda
