// The sigmoid, its slope, and products x * sigmoid(y(x)) with y odd: SiLU, Swish and the fast forms of GELU.
//
// Everything is written in E = exp(-|y|), so that no tail cancels. The derivative g of x * sigmoid(y) obeys
// g(x) + g(-x) = 1, so only g(-t), t = |x|, needs care: with Y = t dy/dt it is E (1 + E - Y) / (1 + E)^2. Its
// zero is at 1 + E = Y; both are carried as pairs, so that their difference has no error there but that of E.
// Where Y = t, an exact number, the shorter a (1 - t + t a), a = E / (1 + E), does as well.
#pragma once

#include "kernels/math/exp.h"
#include "kernels/math/parameter.h"

namespace actlab::math {

/// E / (1 + E), also before its unscaling.
template <class V>
struct Odds {
  V scaled, value;
};

template <class V>
ACTLAB_HD Odds<V> odds_of(ExpParts<V> e, Reciprocal<V> r) {
  const V scaled = e.times(r);
  return {scaled, scaled * V(Limits<V>::unscale)};
}
template <class V>
ACTLAB_HD Odds<V> odds_of(ExpParts<V> e) {
  return odds_of(e, reciprocal_of_sum(V(1), e.value()));
}

/// m for x < 0, else 1 - m.
template <class V>
ACTLAB_HD V mirrored(V x, V m) {
  return keep_nan(x, select(x < V(0), m, V(1) - m));
}
/// odds * h for x < 0, else 1 - odds * h.
template <class V>
ACTLAB_HD V mirrored(V x, Odds<V> odds, V h) {
  return mirrored(x, odds.scaled * h * V(Limits<V>::unscale));
}

/// x * sigmoid(y) with e = exp(-|y|). Repairing the rounding of 1 + E is worth 0.4 ulp and, with FMA, costs a
/// quarter of the speed; without FMA it is needed.
template <class V>
ACTLAB_HD V x_times_odds(V x, V t, ExpParts<V> e, bool repaired = !ACTLAB_HAS_FMA) {
  const V E = e.value(), d = V(1) + E, low = repaired ? (d - V(1)) - E : V(-0.0f);
  return divide_up_to_infinity(select(x < V(0), e.times(-t, low) * V(Limits<V>::unscale), x), d);
}

/// a b + c, c small: one rounding.
template <class V>
ACTLAB_HD V madd_small(V a, V b, V c) {
#if ACTLAB_HAS_FMA
  return madd(a, b, c);
#else
  const V product = a * b;
  return product + (fma_x(a, b, -product) + c);
#endif
}

/// Its derivative, for dy/dt = slope; where that is a pair, `rest` is -t times its low part.
template <class V>
ACTLAB_HD V x_times_odds_derivative(V x, ExpParts<V> e, V t, V slope, V rest = V(-0.0f)) {
  const V power = e.scale * V(Limits<V>::unscale), E = madd(power, e.s, power), d = V(1) + E;
  const V low = (E - (d - V(1))) + fma_x(power, e.s, power - E);          // 1 + E = d + low
  const V u = near_reciprocal(d), k = madd(-u, low, fma_x(-u, d, V(1)));  // its inverse is u (1 + k)
  const V Y = t * slope, excess = fma_x(-t, slope, Y) + rest, difference = d - Y;
  const V part = u * difference, part_low = madd(u, low + excess, fma_x(u, difference, -part));
  const V scaled = e.times({u, k + k});  // the square's k belongs to both factors
  return mirrored(x, madd_small(scaled, part, scaled * part_low) * V(Limits<V>::unscale));
}

/// x * sigmoid(x).
template <class V>
ACTLAB_HD V x_times_sigmoid(V x) {
  const V t = abs_cap(x, V(Limits<V>::exp_cap));
  return x_times_odds(x, t, exp_neg(t));
}
template <class V>
ACTLAB_HD V x_times_sigmoid_derivative(V x) {
  const V t = abs_cap(x, V(Limits<V>::exp_cap)), h = V(1) - t;
  const Odds<V> odds = odds_of(exp_neg(t));
  return mirrored(x, odds, h + madd(t, odds.value, (V(1) - h) - t));
}

/// |slope| and min(|x|, cap / |slope|). In float the cap is all that the scale of ExpParts holds: where the
/// slope is small, |x| is large, and their product with E passes zero late.
template <class V>
struct Scaled {
  V slope;
  V t;
};
ACTLAB_HD float slope_cap(float) { return 131; }
template <class V>
ACTLAB_HD V slope_cap(V) {
  return V(Limits<V>::exp_cap);
}
template <class V>
ACTLAB_HD Scaled<V> scaled(V x, const Parameter& slope) {
  const V signed_slope = slope.as<V>(), size = select(signed_slope < V(0), -signed_slope, signed_slope);
  const V cap = slope_cap(size) / size;
  return {size, abs_cap(x, select(cap < V(Limits<V>::huge), cap, V(Limits<V>::huge)))};
}

/// x * sigmoid(slope * x), the product slope * x unrounded; any slope. A negative one turns x and the result,
/// and with slope 0 the cap would stop at the largest float. (Signs as factors: g++ 12 does not vectorise
/// choices by the slope around what needs x.)
template <class V>
ACTLAB_HD V sign_of(const Parameter& slope) {
  return select(slope.as<V>() < V(0), V(-1), V(1));
}
template <class V>
ACTLAB_HD V x_times_sigmoid(V x, const Parameter& slope) {
  const V sign = sign_of<V>(slope);
  const Scaled<V> y = scaled(x, slope);
  // Repaired: without it some slopes (3.3) reach 3.01 ulp.
  const V product = x_times_odds(sign * x, y.t, exp2_neg(y.t, exp2_rate(y.slope)), true);
  return select(slope.as<V>() == V(0), V(0.5f) * x, sign * product);
}
template <class V>
ACTLAB_HD V x_times_sigmoid_derivative(V x, const Parameter& slope) {
  const Scaled<V> y = scaled(x, slope);
  return x_times_odds_derivative(sign_of<V>(slope) * x, exp2_neg(y.t, exp2_rate(y.slope)), y.t, y.slope);
}

/// x^2 sigmoid'(slope x), which is the derivative of x * sigmoid(slope x) by the slope; any slope.
template <class V>
ACTLAB_HD V x_times_sigmoid_by_slope(V x, const Parameter& slope) {
  const Scaled<V> y = scaled(x, slope);
  const ExpParts<V> e = exp2_neg(y.t, exp2_rate(y.slope));
  // t sigmoid(slope t); the other factor is E times it. Each takes half of the unscaling: no tail is rounded
  // twice, and nothing overflows that the product does not.
  const V part = divide(y.t, V(1) + e.value()) * V(0x1p-32f);
  return keep_nan(x, e.times(part) * part);
}

/// The sigmoid of an argument of x's sign with e = exp(-|argument|).
template <class V>
ACTLAB_HD V sigmoid_of(V x, ExpParts<V> e) {
  return keep_nan(x, divide(select(x < V(0), e.value(), V(1)), V(1) + e.value()));
}
template <class V>
ACTLAB_HD V sigmoid(V x) {
  return sigmoid_of(x, exp_neg(abs_cap(x, V(Limits<V>::exp_cap))));
}
/// sigmoid(slope * x), slope > 0.
template <class V>
ACTLAB_HD V sigmoid(V x, const Parameter& slope) {
  const Scaled<V> y = scaled(x, slope);
  return sigmoid_of(x, exp2_neg(y.t, exp2_rate(y.slope)));
}

/// factor * E / (1 + E)^2, E = exp(-t), t >= 0.
template <class V>
ACTLAB_HD V sigmoid_bell(V t, V factor) {
  const ExpParts<V> e = exp_neg(t);
  const Reciprocal<V> r = reciprocal_of_sum(V(1), e.value());
  return e.times(r.u * r.u, r.k + r.k) * (factor * V(Limits<V>::unscale));
}
template <class V>
ACTLAB_HD V sigmoid_derivative(V x) {
  return keep_nan(x, sigmoid_bell(abs_cap(x, V(Limits<V>::exp_cap)), V(1)));
}

/// tanh(x) = -m / (2 + m) with m = expm1(-2|x|), and its derivative 4 sigmoid'(2x).
template <class V>
ACTLAB_HD V tanh(V x) {
  const V t = abs_cap(x, V(Limits<V>::exp_cap) * V(0.5f)), m = expm1_neg(t + t), r = divide(m, V(2) + m);
  return keep_nan(x, select(x < V(0), r, x == V(0) ? x : -r));
}
template <class V>
ACTLAB_HD V tanh_derivative(V x) {
  const V t = abs_cap(x, V(Limits<V>::exp_cap) * V(0.5f));
  return keep_nan(x, sigmoid_bell(t + t, V(4)));
}

}  // namespace actlab::math
