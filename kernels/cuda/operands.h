// Element types of products on a CUDA device: operands of one type, f32, bf16 or f16, and a result of that
// type or of f32.
#pragma once

#include "kernels/cuda/runtime.h"
#include "kernels/cuda/types.h"

namespace actlab::cuda {

inline bool multiplies(DType dtype) { return dtype == DType::f32 || is_half(dtype); }
/// Whether the device has instructions for products of the type: bf16 came with compute capability 8.
inline bool native(DType dtype) {
  return dtype == DType::bf16 ? device().major >= 8 : dtype == DType::f32 || dtype == DType::f16;
}

/// Throws Error for other types.
inline void check_operands(std::string_view operation, DType a, DType b, DType result) {
  ACTLAB_CHECK(a != DType::f64, operation,
               ": the cuda backend computes in f32, bf16 or f16; use device = \"reference\" for f64");
  ACTLAB_CHECK(multiplies(a) && a == b && (result == a || result == DType::f32), operation, ": operands of ",
               a, " and ", b, " and a result of ", result,
               "; operands of one type, f32, bf16 or f16, and a result of it or of f32 are needed");
}

/// Calls f with a value of the operands' type and one of the result's; they have been checked.
template <class F>
void for_operands(std::string_view operation, DType operands, DType result, const F& f) {
  for_float(operation, operands, [&]<class T>(T operand) {
    if (result == DType::f32) return f(operand, float{});
    f(operand, operand);
  });
}

}  // namespace actlab::cuda
