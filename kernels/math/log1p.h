// Softplus, log(1 + exp(slope x)) / slope = max(x, 0) + log1p(E) / slope with E = exp(-slope |x|).
#pragma once

#include "kernels/math/sigmoid.h"

namespace actlab::math {

/// (log1p(E) / E - 1) / E, 0 <= E <= 1. In float a fit of our own, log1p to 2^-27.5: even and odd halves for
/// latency, the leading terms by Horner's rule for accuracy.
ACTLAB_HD float log1p_bend(float E) {
  const float q = E * E;
  const float tail =
      madd(E, madd(madd(0x1.4a92e8p-6f, q, 0x1.b53c6p-4f), q, 0x1.935568p-3f),
           madd(madd(madd(-0x1.b22ceep-9f, q, -0x1.d7f01p-5f), q, -0x1.3a6738p-3f), q, -0x1.ff2556p-3f));
  return madd(madd(tail, E, 0x1.554ddap-2f), E, -0x1.ffffd2p-2f);
}
template <class V>
ACTLAB_HD V log1p_bend(V E) {
  return E == V(0) ? V(-0.5) : (log1p(E) / E - V(1)) / E;
}

/// log(1 + exp(slope x)) / slope, slope > 0.
template <class V>
ACTLAB_HD V softplus(V x, const Parameter& slope) {
  const Scaled<V> y = scaled(x, slope);
  const ExpParts<V> e = exp2_neg(y.t, exp2_rate(y.slope));
  const V E = e.value();
  // 1 / slope = inverse (1 + k)
  const V inverse = V(1) / y.slope, k = fma_x(-inverse, y.slope, V(1));
  const V bend = log1p_bend(E) * inverse, ratio = madd(bend, E, inverse);
  // Without FMA the rounding of the ratio, log1p(E) / (E slope), is repaired to first order.
  const V low = ACTLAB_HAS_FMA ? V(-0.0f) : (bend * E - (ratio - inverse)) * y.slope;
  return madd(e.times(ratio, k + low), V(Limits<V>::unscale), select(x < V(0), V(0), x));
}

}  // namespace actlab::math
