// The normal distribution's part of exact GELU, to full relative accuracy in the far tail.
//
// Phi(-t) = exp(-t^2/2) Q(t) with 1/Q(t) = sqrt(2 pi) t + K(t) and K(t) = 2 - t S3(t)/P4(t), a fit of our own
// (P4 monic). K falls from 2 to 0.2, so its rounding fades in the tail; sqrt(2 pi) is a float to 2^-33.
#pragma once

#include "kernels/math/exp.h"

namespace actlab::math {

/// exp(-t^2/2) = (2 - s2)/2 * scale * unscale;  v = -S/(2P);  1/Q = mills.
struct NormalParts {
  float s2, scale, v, k, mills;
};

inline constexpr float sqrt_two_pi = 0x1.40d932p+1f;

ACTLAB_HD NormalParts normal_parts(float t) {
  const float z = madd(t, t * (-0.5f * log2_e), round_to_scale), n = z - round_to_scale;
  const float r =
      madd(n, 2 * ln2_low, fma_x(t, t, n * (2 * ln2_high)));  // t^2 + 2 n ln 2, the square unrounded
  const float q =
      madd(madd(madd(madd(-0x1.6a4b44p-15f, r, 0x1.123994p-11f), r, -0x1.5558b2p-8f), r, 0x1.555492p-5f), r,
           -0x1.fffffcp-3f);
  const float S =
      madd(madd(madd(-0x1.ffea7cp-1f, t, -0x1.08c82ap+3f), t, -0x1.db0b54p+4f), t, -0x1.8858bcp+5f);
  const float P =
      madd(madd(madd(t + 0x1.30a98ep+3f, t, 0x1.4e04f8p+5f), t, 0x1.85f9b6p+6f), t, 0x1.aebe74p+6f);
  const float v = S / P, k = madd(t + t, v, 2.0f);
  return {madd(r * r, q, r), scale_of(z), v, k, madd(sqrt_two_pi, t, k)};
}

/// a - t Phi(-t): one rounding at the end, also into the subnormals.
ACTLAB_HD float minus_t_times_tail(float a, float t) {
  const NormalParts p = normal_parts(t);
  const float q = t * p.scale / p.mills;
  // mills + low = sqrt(2 pi) t + k exactly; repaired to first order while the divider works:
  // s2 += low (2 - s2)/mills, where (2 - s2)/mills ~ S/(2P) is good enough.
  const float low = p.k - fma_x(-sqrt_two_pi, t, p.mills);
  const float s2 = madd(-low, p.v, p.s2);
  return madd(madd(-q, s2, q + q), -0x1p-65f, a);
}
template <class V>
ACTLAB_HD V minus_t_times_tail(V a, V t) {
  return a - V(0.5) * t * erfc(t * V(0.70710678118654752440));
}

/// Phi(-t) - t phi(t) = exp(-t^2/2) (Q - t/sqrt(2 pi)). The difference cancels: d + z carries it in two
/// floats.
ACTLAB_HD float tail_minus_t_times_density(float t) {
  const NormalParts p = normal_parts(t);
  const float u = 1.0f / p.mills;
  const float low = (p.k - fma_x(-sqrt_two_pi, t, p.mills)) + fma_x(t + t, p.v, 2.0f - p.k);
  const float k = madd(-u, low, fma_x(-u, p.mills, 1.0f));  // 1/(mills + low) = u (1 + k)
  const float d = fma_x(-0x1.988454p-2f, t, u), z = madd(u, k, t * 0x1.857936p-27f);
  const float y = madd(-d, p.s2, z * (2.0f - p.s2)) + (d + d);
  return y * p.scale * 0x1p-65f;
}
template <class V>
ACTLAB_HD V tail_minus_t_times_density(V t) {
  return V(0.5) * erfc(t * V(0.70710678118654752440)) - t * V(0.39894228040143267794) * exp(V(-0.5) * t * t);
}

/// x Phi(x) = max(x, 0) - |x| Phi(-|x|).
template <class V>
ACTLAB_HD V x_times_normal_cdf(V x) {
  return minus_t_times_tail(select(x < V(0), V(-0.0f), x), abs_cap(x, V(Limits<V>::normal_cap)));
}
/// Phi(x) + x phi(x).
template <class V>
ACTLAB_HD V x_times_normal_cdf_derivative(V x) {
  const V m = tail_minus_t_times_density(abs_cap(x, V(Limits<V>::normal_cap)));
  return keep_nan(x, select(x < V(0), m, V(1) - m));
}

}  // namespace actlab::math
