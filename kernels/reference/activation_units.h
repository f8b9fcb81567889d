// The units in which errors of activations are told: those of the contract in kernels/activation.h.
#pragma once

#include <algorithm>
#include <cmath>

#include "kernels/array.h"

namespace actlab {

/// Digits of the significand and exponents of the least normal and the largest value of a type.
template <class T>
struct Format;
template <>
struct Format<float> {
  static constexpr int digits = 24, least = -126, largest = 127;
};
template <>
struct Format<BFloat16> {
  static constexpr int digits = 8, least = -126, largest = 127;
};
template <>
struct Format<Float16> {
  static constexpr int digits = 11, least = -14, largest = 15;
};

/// A value as errors compare it: infinity counts as the power of 2 above the largest number of T, and so does
/// what lies beyond it.
template <class T>
double bounded(double value) {
  const double limit = std::ldexp(1.0, Format<T>::largest + 1);
  return std::isnan(value) ? value : std::clamp(value, -limit, limit);
}

/// The unit in the last place of a value in T; that of the least normal where the value is below it.
template <class T>
double ulp_of(double value) {
  using F = Format<T>;
  const double size = bounded<T>(value);
  const int exponent = size == 0 ? F::least : std::clamp(std::ilogb(size), F::least, F::largest);
  return std::ldexp(1.0, exponent - F::digits + 1);
}

/// The unit of f' at x in float32: 2^-24 max(|f'|, min(|x|, 1) |f''|).
inline double derivative_unit(double x, double df, double d2f) {
  return 0x1p-24 * std::max(std::fabs(df), std::min(std::fabs(x), 1.0) * std::fabs(d2f));
}

/// Error of y in units of the last place of the exact value; infinite for NaN.
inline double ulps(float y, double exact) {
  const double wanted = bounded<float>(exact);
  const double error = std::fabs(bounded<float>(static_cast<double>(y)) - wanted) / ulp_of<float>(wanted);
  return std::isnan(error) ? HUGE_VAL : error;
}

/// Error of y = f' at x in its units; the rounding of a subnormal result is free. Infinite for NaN.
inline double derivative_units(float y, double x, double df, double d2f) {
  double error = std::fabs(bounded<float>(static_cast<double>(y)) - bounded<float>(df));
  if (error <= 0x1p-149) return 0;
  if (std::fabs(df) < 0x1p-126) error -= 0x1p-150;
  return std::isnan(error) ? HUGE_VAL : error / derivative_unit(x, df, d2f);
}

}  // namespace actlab
