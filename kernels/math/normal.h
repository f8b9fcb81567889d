// The normal distribution's part of exact GELU, to full relative accuracy in the far tail.
//
// Phi(-t) = exp(-t^2/2) Q(t) with 1/Q(t) = sqrt(2 pi) t + K(t) and K(t) = 2 - t S3(t)/P4(t), a fit of our own
// (P4 monic). K falls from 2 to 0.2, so its rounding fades in the tail; sqrt(2 pi) is a float to 2^-33.
//
// t is |x|, or the quotient |x| / sigma: a pair in float, because exp(-t^2/2) makes t^2 of a relative error
// of t. What its low part moves is repaired to first order.
#pragma once

#include <type_traits>

#include "kernels/math/exp.h"
#include "kernels/math/parameter.h"

namespace actlab::math {

/// exp(-t^2/2) = (2 - s2)/2 * scale * unscale;  v = -S/(2P);  1/Q = mills.
struct NormalParts {
  float s2, scale, v, k, mills;
};

inline constexpr float sqrt_two_pi = 0x1.40d932p+1f, one_over_sqrt_two_pi = 0x1.988454p-2f;

/// float or a pair of them; the others.
template <class T>
concept Single = std::is_same_v<T, float> || std::is_same_v<T, Pair<float>>;
template <class T>
concept Wide = !Single<T>;

ACTLAB_HD float main_part(float t) { return t; }
ACTLAB_HD float main_part(Pair<float> t) { return t.high; }
/// sum + factor * the low part of t.
ACTLAB_HD float add_low(float sum, float, float) { return sum; }
ACTLAB_HD float add_low(float sum, float factor, Pair<float> t) { return madd(factor, t.low, sum); }

/// square + 2 n ln2_low, and what the low part of t moves: Phi(-t) by the factor exp(-low phi(t) / Phi(-t)),
/// where phi(t) / Phi(-t) = mills / sqrt(2 pi).
ACTLAB_HD float reduced(float square, float n, float, float) { return madd(n, 2 * ln2_low, square); }
ACTLAB_HD float reduced(float square, float n, float mills, Pair<float> t) {
  return square + madd(n, 2 * ln2_low, mills * (2 * one_over_sqrt_two_pi) * t.low);
}

/// x / size.
ACTLAB_HD Pair<float> quotient(float x, float size) {
  const float rate = near_reciprocal(size), rate_low = fma_x(-rate, size, 1.0f) * rate, high = x * rate;
  return {high, madd(x, rate_low, fma_x(x, rate, -high))};
}
template <class V>
ACTLAB_HD V quotient(V x, V size) {
  return x / size;
}

template <Single T>
ACTLAB_HD NormalParts normal_parts(T whole) {
  const float t = main_part(whole);
  const float S =
      madd(madd(madd(-0x1.ffea7cp-1f, t, -0x1.08c82ap+3f), t, -0x1.db0b54p+4f), t, -0x1.8858bcp+5f);
  const float P =
      madd(madd(madd(t + 0x1.30a98ep+3f, t, 0x1.4e04f8p+5f), t, 0x1.85f9b6p+6f), t, 0x1.aebe74p+6f);
  const float v = divide(S, P), k = madd(t + t, v, 2.0f), mills = madd(sqrt_two_pi, t, k);
  const float z = madd(t, t * (-0.5f * log2_e), round_to_scale), n = z - round_to_scale;
  // t^2 + 2 n ln 2, the square unrounded.
  const float r = reduced(fma_x(t, t, n * (2 * ln2_high)), n, mills, whole);
  const float q =
      madd(madd(madd(madd(-0x1.6a4b44p-15f, r, 0x1.123994p-11f), r, -0x1.5558b2p-8f), r, 0x1.555492p-5f), r,
           -0x1.fffffcp-3f);
  return {madd(r * r, q, r), scale_of(z), v, k, mills};
}

/// a - size Phi(-t): one rounding at the end, also into the subnormals.
template <Single T>
ACTLAB_HD float minus_times_tail(float a, float size, T whole) {
  const NormalParts p = normal_parts(whole);
  const float t = main_part(whole), q = divide(size * p.scale, p.mills);
  // mills + low = sqrt(2 pi) t + k exactly; repaired to first order while the divider works:
  // s2 += low (2 - s2)/mills, where (2 - s2)/mills ~ S/(2P) is good enough.
  const float low = p.k - fma_x(-sqrt_two_pi, t, p.mills);
  const float s2 = madd(-low, p.v, p.s2);
  // Without FMA, and with a mantissa of size that t does not fix, the rounding of q counts as well.
  if constexpr (!std::is_same_v<T, float> && !ACTLAB_HAS_FMA) {
    const float rest = fma_x(-q, p.mills, size * p.scale);
    return madd((q + q) - (q * s2 + p.v * rest), -0x1p-65f, a);
  }
  return madd(madd(-q, s2, q + q), -0x1p-65f, a);
}
template <Wide V>
ACTLAB_HD V minus_times_tail(V a, V size, V t) {
  return a - V(0.5) * size * erfc(t * V(0.70710678118654752440));
}

/// Phi(-t) - t phi(t) around its zero, within 0.31 of it: a fit of our own in the distance, to 2^-26. The
/// general form loses there what it keeps elsewhere, and of a wide GELU f'' is too small to forgive it.
ACTLAB_HD float tail_near_its_zero(Pair<float> t) {
  constexpr float zero = 0x1.80ead2p-1f, zero_low = -0x1.a03fd4p-27f;
  const float d = (t.high - zero) + (t.low - zero_low), d2 = d * d;
  const float high =
      madd(madd(madd(-0x1.1c02bap-9f, d, -0x1.201eb4p-8f), d, 0x1.3e10f2p-6f), d, 0x1.e3bffap-7f);
  const float low = madd(madd(-0x1.d2f9eep-4f, d, 0x1.2a2faep-6f), d, 0x1.8d9a94p-2f);
  return d * madd(madd(high, d2 * d, low), d, -0x1.b9d99p-2f);
}
ACTLAB_HD float unless_near_zero(float, float m) { return m; }
ACTLAB_HD float unless_near_zero(Pair<float> t, float m) {
  return select(t.high > 0.45f && t.high < 1.05f, tail_near_its_zero(t), m);
}

/// Phi(-t) - t phi(t) = exp(-t^2/2) (Q - t/sqrt(2 pi)). The difference cancels: d + z carries it in two
/// floats.
template <Single T>
ACTLAB_HD float tail_minus_t_times_density(T whole) {
  const NormalParts p = normal_parts(whole);
  const float t = main_part(whole), u = near_reciprocal(p.mills);
  const float low = (p.k - fma_x(-sqrt_two_pi, t, p.mills)) + fma_x(t + t, p.v, 2.0f - p.k);
  const float k = madd(-u, low, fma_x(-u, p.mills, 1.0f));  // 1/(mills + low) = u (1 + k)
  const float d = fma_x(-one_over_sqrt_two_pi, t, u);
  // What the low part does to exp and Q is in s2; this is what it does to t, against theirs.
  const float z = add_low(madd(u, k, t * 0x1.857936p-27f),
                          -one_over_sqrt_two_pi * madd(t * one_over_sqrt_two_pi, p.k, 1.0f), whole);
  const float y = madd(-d, p.s2, z * (2.0f - p.s2)) + (d + d);
  return unless_near_zero(whole, y * p.scale * 0x1p-65f);
}
template <Wide V>
ACTLAB_HD V tail_minus_t_times_density(V t) {
  return V(0.5) * erfc(t * V(0.70710678118654752440)) - t * V(0.39894228040143267794) * exp(V(-0.5) * t * t);
}

/// -t^2 phi(t).
template <Single T>
ACTLAB_HD float minus_square_times_density(T whole) {
  const NormalParts p = normal_parts(whole);
  const float t = main_part(whole);
  return t * t * p.scale * ((p.s2 - 2.0f) * (one_over_sqrt_two_pi * 0x1p-65f));
}
template <Wide V>
ACTLAB_HD V minus_square_times_density(V t) {
  return -t * t * V(0.39894228040143267794) * exp(V(-0.5) * t * t);
}

/// x Phi(x) = max(x, 0) - |x| Phi(-|x|).
template <class V>
ACTLAB_HD V x_times_normal_cdf(V x) {
  const V t = abs_cap(x, V(Limits<V>::normal_cap));
  return minus_times_tail(select(x < V(0), V(-0.0f), x), t, t);
}
/// Phi(x) + x phi(x).
template <class V>
ACTLAB_HD V x_times_normal_cdf_derivative(V x) {
  const V m = tail_minus_t_times_density(abs_cap(x, V(Limits<V>::normal_cap)));
  return keep_nan(x, select(x < V(0), m, V(1) - m));
}

/// |x|, as far as it matters to Phi(x / sigma), sigma > 0.
template <class V>
ACTLAB_HD V size_within(V x, V sigma) {
  return abs_cap(x, V(Limits<V>::normal_cap) * sigma);
}
/// x Phi(x / sigma), the quotient unrounded, its derivative, and its derivative by sigma.
template <class V>
ACTLAB_HD V x_times_normal_cdf(V x, const Parameter& sigma) {
  const V size = size_within(x, sigma.as<V>());
  return minus_times_tail(select(x < V(0), V(-0.0f), x), size, quotient(size, sigma.as<V>()));
}
template <class V>
ACTLAB_HD V x_times_normal_cdf_derivative(V x, const Parameter& sigma) {
  const V size = size_within(x, sigma.as<V>());
  const V m = tail_minus_t_times_density(quotient(size, sigma.as<V>()));
  return keep_nan(x, select(x < V(0), m, V(1) - m));
}
template <class V>
ACTLAB_HD V x_times_normal_cdf_by_sigma(V x, const Parameter& sigma) {
  const V size = size_within(x, sigma.as<V>());
  return keep_nan(x, minus_square_times_density(quotient(size, sigma.as<V>())));
}

}  // namespace actlab::math
