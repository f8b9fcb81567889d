// Arrays as operations take them that compute in f32 only.
#pragma once

#include <string_view>

#include "kernels/array.h"

namespace actlab {

inline void check_f32(std::string_view operation, DType dtype) {
  ACTLAB_CHECK(dtype != DType::f64, operation,
               ": this device computes in f32; use device = \"reference\" for f64");
  ACTLAB_CHECK(dtype == DType::f32, operation, ": this device computes in f32, not ", dtype);
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

}  // namespace actlab
