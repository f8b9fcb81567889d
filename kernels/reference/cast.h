// Conversions between element types, each rounded once to nearest even.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "kernels/array.h"
#include "kernels/math/half.h"

namespace actlab {

/// double to float, inexact results to the neighbour with an odd last bit: a second rounding, to a half, then
/// gives what one rounding would (Boldo and Melquiond 2008).
inline float round_to_odd(double x) {
  const float nearest = static_cast<float>(x);
  const auto bits = std::bit_cast<std::uint32_t>(nearest);
  if (double{nearest} == x || std::isnan(x) || (bits & 1) != 0) return nearest;
  return std::bit_cast<float>(std::abs(double{nearest}) < std::abs(x) ? bits + 1 : bits - 1);
}

template <class To, class From>
To cast_element(From x) {
  constexpr bool from_half = !std::is_floating_point_v<From>;
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_floating_point_v<To>) {
    if constexpr (from_half) return To{math::to_float(x)};
    if constexpr (!from_half) return static_cast<To>(x);
  } else {
    float value;
    if constexpr (std::is_same_v<From, double>) value = round_to_odd(x);
    if constexpr (std::is_same_v<From, float>) value = x;
    if constexpr (from_half) value = math::to_float(x);
    if constexpr (std::is_same_v<To, BFloat16>) return math::to_bfloat16(value);
    if constexpr (std::is_same_v<To, Float16>) return math::to_float16(value);
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
