// exp(-t) for t >= 0 as parts that are multiplied before they are rounded, and expm1.
#pragma once

#include "kernels/math/divide.h"

namespace actlab::math {

/// u (1 + k), k of first order.
template <class V>
struct Reciprocal {
  V u, k;
};

/// 1 / (c + w + w_low) for c >= w or nearly so, to 2^-46 before the errors of w and w_low.
/// The default -0 is an addend that the compiler may drop.
template <class V>
ACTLAB_HD Reciprocal<V> reciprocal_of_sum(V c, V w, V w_low = V(-0.0f)) {
  const V d = c + w, low = w - (d - c) + w_low, u = near_reciprocal(d);
  return {u, madd(-u, low, fma_x(-u, d, V(1)))};
}

/// exp(-t) = (1 + s) * scale * unscale. In float the scale is 2^(n + 64), a normal number for n >= -190, so
/// that multiplying by it is exact and the last `* unscale` rounds once, into the subnormals too. Elsewhere s
/// = 0 and scale = 2^64 exp(-t/2)^2, good where exp(-t) itself is subnormal.
template <class V>
struct ExpParts {
  V s, scale;

  /// a (1 + s + ds) scale; the caller applies unscale.
  ACTLAB_HD V times(V a, V ds = V(0)) const { return madd(a, s + ds, a) * scale; }
  /// u (1 + k) (1 + s) scale in one rounding.
  ACTLAB_HD V times(Reciprocal<V> r) const { return times(r.u, madd(r.k, s, r.k)); }
  ACTLAB_HD V value() const { return madd(scale, s, scale) * V(Limits<V>::unscale); }
};

// Adding it rounds to an integer and leaves the exponent of the scale in the low bits of the mantissa:
// 1.5 * 2^23 + bias + 64.
inline constexpr float round_to_scale = 12582912.0f + 127 + 64;
inline constexpr float log2_e = 0x1.715476p+0f;
// ln 2 = ln2_high + ln2_low; n * ln2_high is exact.
inline constexpr float ln2_high = 0x1.62e4p-1f, ln2_low = 0x1.7f7d1cp-20f, ln2 = 0x1.62e43p-1f;

ACTLAB_HD float scale_of(float rounded) { return from_bits(to_bits(rounded) << 23); }

/// exp(-t), 0 <= t <= exp_cap. Minimax polynomial on |r| <= 0.3468.
ACTLAB_HD ExpParts<float> exp_neg(float t) {
  const float z = madd(t, -log2_e, round_to_scale), n = z - round_to_scale;
  const float r = madd(n, -ln2_low, madd(n, -ln2_high, -t));
  const float q =
      madd(madd(madd(madd(0x1.6a4b44p-10f, r, 0x1.123994p-7f), r, 0x1.5558b2p-5f), r, 0x1.555492p-3f), r,
           0x1.fffffcp-2f);
  return {madd(r * r, q, r), scale_of(z)};
}
template <class V>
ACTLAB_HD ExpParts<V> exp_neg(V t) {
  const V root = exp(V(-0.5) * t);
  return {V(0), root * V(0x1p64) * root};
}

/// 2^-(t * rate): the product is reduced before it is rounded.
ACTLAB_HD ExpParts<float> exp2_neg(float t, Pair<float> rate) {
  const float z = madd(t, -rate.high, round_to_scale);
  const float r = madd(t, -rate.low, fma_x(t, -rate.high, round_to_scale - z));  // |r| <= 0.5003
  const float q =
      madd(madd(madd(madd(0x1.417166p-13f, r, 0x1.5f0388p-10f), r, 0x1.3b2dd2p-7f), r, 0x1.c6af8ap-5f), r,
           0x1.ebfbdcp-3f);
  return {r * madd(r, q, ln2), scale_of(z)};
}
template <class V>
ACTLAB_HD ExpParts<V> exp2_neg(V t, Pair<V> rate) {
  return exp_neg(V(0.69314718055994530942) * t * rate.high);
}

/// log2(e) * slope, so that exp(-slope t) = exp2_neg(t, exp2_rate(slope)).
ACTLAB_HD Pair<float> exp2_rate(float slope) {
  const float rate = slope * log2_e;
  return {rate, madd(slope, 0x1.4ae0cp-26f, fma_x(slope, log2_e, -rate))};
}
template <class V>
ACTLAB_HD Pair<V> exp2_rate(V slope) {
  return {slope * V(1.4426950408889634074), V(0)};
}

/// exp(-t) - 1.
ACTLAB_HD float expm1_neg(float t) {
  const ExpParts<float> e = exp_neg(t);
  const float power = e.scale * Limits<float>::unscale;
  return madd(power, e.s, power - 1.0f);
}
template <class V>
ACTLAB_HD V expm1_neg(V t) {
  return expm1(-t);
}

/// exp(x) - 1 for x <= 0. (-x, so that a Dual at 0 has this side's derivative.)
template <class V>
ACTLAB_HD V expm1_of_negative(V x) {
  return expm1_neg(abs_cap(-x, V(Limits<V>::exp_cap)));
}
/// factor * exp(x) for x <= 0.
template <class V>
ACTLAB_HD V exp_of_negative(V x, V factor) {
  return exp_neg(abs_cap(-x, V(Limits<V>::exp_cap))).times(factor) * V(Limits<V>::unscale);
}

}  // namespace actlab::math
