// x * tanh(log(1 + exp(x))), Mish, in E = exp(-|x|).
//
// x < 0:  -t w / (1 + w)             with w = E + E^2/2,
// x >= 0:  x (1/2 + E) / (1/2 + w)   with w = E + E^2.
#pragma once

#include "kernels/math/sigmoid.h"

namespace actlab::math {

template <class V>
ACTLAB_HD V x_times_tanh_softplus(V x) {
  const V t = abs_cap(x, V(Limits<V>::exp_cap));
  const ExpParts<V> e = exp_neg(t);
  const bool minus = has_minus(x);
  const V E = e.value(), g = select(minus, V(0.5f) * E, E), w = madd(g, E, E);
  const V d = select(minus, V(1), V(0.5f)) + w;
  const V low = w - (d - V(0.5f));  // x >= 0: the rounding of d, repaired with f/x ~ 0.65
  // x < 0: (1 + E/2)(1 + s) in one rounding.
  const V below = madd(-t, madd(g, V(1) + e.s, e.s), -t) * e.scale * V(Limits<V>::unscale);
  const V above = madd(t, madd(V(-0.65f), low, E), V(0.5f) * x);
  return keep_nan(x, divide_up_to_infinity(select(minus, below, above), d));
}

/// With a = E / (c + w), c = 1 or 1/2:  x < 0: a ((1 - t) + E/2 + a t E/2);  x >= 0: 1 - a (E - a (t + t E)).
template <class V>
ACTLAB_HD V x_times_tanh_softplus_derivative(V x) {
  const V t = abs_cap(x, V(Limits<V>::exp_cap));
  const ExpParts<V> e = exp_neg(t);
  const bool minus = x < V(0);
  const V E = e.value(), g = select(minus, V(0.5f) * E, E), c = select(minus, V(1), V(0.5f)), sum = c + E;
  const Odds<V> odds = odds_of(e, reciprocal_of_sum(sum, g * E, E - (sum - c)));
  const V offset = select(minus, V(1) - t, V(0)), A = offset + g, B = select(minus, t * g, -madd(t, E, t));
  return mirrored(x, odds, A + madd(B, odds.value, g - (A - offset)));
}

}  // namespace actlab::math
