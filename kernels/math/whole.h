// Rounding: to whole numbers, to powers of two.
#pragma once

#include "kernels/math/dual.h"

namespace actlab::math {

/// The least power of two that is not below a normal x > 0.
ACTLAB_HD float power_of_two_from(float x) {
  constexpr std::int32_t mantissa = 0x7fffff;
  return from_bits((to_bits(x) + mantissa) & ~mantissa);
}

/// To the nearest whole number, ties to even; |x| < 2^22.
ACTLAB_HD float whole(float x) {
  constexpr float shift = 0x1.8p23f;
  return (x + shift) - shift;
}
ACTLAB_HD double whole(double x) {
  constexpr double shift = 0x1.8p52;
  return (x + shift) - shift;
}
template <class T>
ACTLAB_HD Dual<T> whole(Dual<T> x) {
  return {whole(x.value), 0};
}

}  // namespace actlab::math
