// The words that activation bodies are made of: selection without branches, products without rounding, bits.
//
// V is float, double or Dual<double>. Overloads for float use float arithmetic and bit tricks only, so that
// they vectorise and run on GPUs at full rate; the others go to libm, know no float limits, and serve as the
// oracle.
#pragma once

#include <math.h>

#include <cstdint>

#include "kernels/math/target.h"

namespace actlab::math {

/// Sizes of the argument beyond which exp(-t), Phi(-t) and the sigmoid of the cubic are zero, with room for
/// the factors around them. `unscale` undoes the scale of ExpParts.
template <class V>
struct Limits {
  static constexpr double unscale = 0x1p-64, exp_cap = 800, normal_cap = 40, cubic_cap = 25, huge = 1e300;
};
template <>
struct Limits<float> {
  static constexpr float unscale = 0x1p-64f, exp_cap = 115, normal_cap = 15, cubic_cap = 11, huge = 3e38f;
};

/// An unevaluated sum, low below the rounding of high.
template <class V>
struct Pair {
  V high, low;
};

ACTLAB_HD float from_bits(std::int32_t bits) { return __builtin_bit_cast(float, bits); }
ACTLAB_HD std::int32_t to_bits(float value) { return __builtin_bit_cast(std::int32_t, value); }

template <class V>
ACTLAB_HD V select(bool condition, V a, V b) {
  return condition ? a : b;
}

/// `result`, but x where x is NaN.
template <class V>
ACTLAB_HD V keep_nan(V x, V result) {
  return x == x ? result : x;
}

/// True for -0 as well: for bodies whose branch for x >= 0 would return +0.
ACTLAB_HD bool has_minus(float x) { return to_bits(x) < 0; }
template <class V>
ACTLAB_HD bool has_minus(V x) {
  return x < V(0);
}

/// a * b + c, fused where the target has it.
template <class V>
ACTLAB_HD V madd(V a, V b, V c) {
  return a * b + c;
}
/// a * b + c with an exact product on every target: for residuals, where a * b and c cancel.
template <class V>
ACTLAB_HD V fma_x(V a, V b, V c) {
  return a * b + c;
}
#if ACTLAB_HAS_FMA
template <>
ACTLAB_HD float madd(float a, float b, float c) {
  return ::fmaf(a, b, c);
}
template <>
ACTLAB_HD float fma_x(float a, float b, float c) {
  return ::fmaf(a, b, c);
}
#else
/// The leading 12 bits: products of two heads are exact.
ACTLAB_HD float head(float a) { return from_bits(to_bits(a) & -4096); }
template <>
ACTLAB_HD float fma_x(float a, float b, float c) {
  const float a_high = head(a), a_low = a - a_high, b_high = head(b), b_low = b - b_high;
  return (a_high * b_high + c) + ((a_high * b_low + a_low * b_high) + a_low * b_low);
}
#endif

/// min(|x|, cap); NaN becomes cap. In float an integer minimum: g++ 12 turns a float one into masked copies
/// of everything downstream that folds with the constant.
ACTLAB_HD float abs_cap(float x, float cap) {
#if defined(__CUDA_ARCH__)
  return ::fminf(::fabsf(x), cap);
#else
  const std::int32_t a = to_bits(x) & 0x7fffffff, b = to_bits(cap);
  return from_bits(a < b ? a : b);
#endif
}
ACTLAB_HD double abs_cap(double x, double cap) {
  const double a = ::fabs(x);
  return a < cap ? a : cap;
}

ACTLAB_HD float sqrt(float x) { return ::sqrtf(x); }
ACTLAB_HD double sqrt(double x) { return ::sqrt(x); }
ACTLAB_HD double exp(double x) { return ::exp(x); }
ACTLAB_HD double expm1(double x) { return ::expm1(x); }
ACTLAB_HD double log1p(double x) { return ::log1p(x); }
ACTLAB_HD double erfc(double x) { return ::erfc(x); }

}  // namespace actlab::math
