// Arrays as the cpu backend takes them: f32.
#pragma once

#include <algorithm>
#include <string_view>

#include "kernels/array.h"

namespace actlab {

inline void check_f32(std::string_view operation, DType dtype) {
  ACTLAB_CHECK(dtype != DType::f64, operation,
               ": the cpu backend computes in f32; use device = \"reference\" for f64");
  ACTLAB_CHECK(dtype == DType::f32, operation, ": the cpu backend computes in f32, not ", dtype);
}

/// The elements of an f32 array (null stays null); throws Error for other types.
inline const float* f32(std::string_view operation, const ConstArray& array) {
  if (array.data == nullptr) return nullptr;
  check_f32(operation, array.dtype);
  return array.as<float>();
}

inline float* f32(std::string_view operation, const Array& array) {
  if (array.data == nullptr) return nullptr;
  check_f32(operation, array.dtype);
  return array.as<float>();
}

/// Least work that is worth a thread, in elements.
inline constexpr std::int64_t elements_a_part = 16'384;

/// The same in rows of `width` elements.
inline std::int64_t rows_a_part(std::int64_t width) {
  return std::max<std::int64_t>(1, elements_a_part / std::max<std::int64_t>(1, width));
}

}  // namespace actlab
