// Conversions between element types, each rounded once to nearest even.
#pragma once

#include <type_traits>

#include "kernels/array.h"
#include "kernels/math/half.h"

namespace actlab {

template <class To, class From>
ACTLAB_HD To cast_element(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_same_v<From, double>) {
    return math::from_double<To>(x);
  } else if constexpr (std::is_same_v<To, double>) {
    return double{math::to_float(x)};
  } else {
    return math::from_float<To>(math::to_float(x));
  }
}

/// Calls f with a value of the element type, one of f32, f64, bf16, f16; throws Error for the others.
template <class F>
void for_float_type(DType dtype, const F& f) {
  if (dtype == DType::f32) return f(float{});
  if (dtype == DType::f64) return f(double{});
  if (dtype == DType::bf16) return f(BFloat16{});
  if (dtype == DType::f16) return f(Float16{});
  throw Error(concat("cast: from or to ", dtype, "; only f32, f64, bf16 and f16 are converted"));
}

}  // namespace actlab
