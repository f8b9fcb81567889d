// Softplus, log(1 + exp(slope x)) / slope = max(x, 0) + log1p(E) / slope with E = exp(-slope |x|).
#pragma once

#include "kernels/math/sigmoid.h"

namespace actlab::math {

/// log1p(E) / E, 0 <= E <= 1. In float a fit of our own of degree 9 to 2^-27.5, 1 at 0: even and odd halves
/// for latency, the three leading terms by Horner's rule for accuracy.
ACTLAB_HD float log1p_ratio(float E) {
  const float q = E * E;
  const float tail =
      madd(E, madd(madd(0x1.4a92e8p-6f, q, 0x1.b53c6p-4f), q, 0x1.935568p-3f),
           madd(madd(madd(-0x1.b22ceep-9f, q, -0x1.d7f01p-5f), q, -0x1.3a6738p-3f), q, -0x1.ff2556p-3f));
  return madd(madd(madd(tail, E, 0x1.554ddap-2f), E, -0x1.ffffd2p-2f), E, 1.0f);
}
template <class V>
ACTLAB_HD V log1p_ratio(V E) {
  return E == V(0) ? V(1) : log1p(E) / E;
}

/// log(1 + exp(slope x)) / slope, slope > 0.
template <class V>
ACTLAB_HD V softplus(V x, const Parameter& slope) {
  const Scaled<V> y = scaled(x, slope);
  const ExpParts<V> e = exp2_neg(y.t, exp2_rate(y.slope));
  // 1 / slope = inverse (1 + k)
  const V inverse = V(1) / y.slope.high, k = fma_x(-inverse, y.slope.high, V(1)) - inverse * y.slope.low;
  const V scaled_log = e.times(log1p_ratio(e.value()) * inverse, k);
  return madd(scaled_log, V(Limits<V>::unscale), select(x < V(0), V(0), x));
}

}  // namespace actlab::math
