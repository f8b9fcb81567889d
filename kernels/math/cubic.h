// x * sigmoid(y) with the cubic y = 2 sqrt(2/pi) (x + 0.044715 x^3): the tanh form of GELU, since
// (1 + tanh(z)) / 2 = sigmoid(2 z).
#pragma once

#include "kernels/math/sigmoid.h"

namespace actlab::math {

inline constexpr double cubic_linear = 1.5957691216057307117597842397375;  // 2 sqrt(2/pi)
inline constexpr double cubic_cube = cubic_linear * 0.044715;
inline constexpr double cubic_log2_e = 1.4426950408889634073599246810019;

/// log2(e) y / t. The head of the linear coefficient has 12 bits, so the residual is exact for any t.
ACTLAB_HD Pair<float> cubic_rate(float t) {
  constexpr float head = 0x1.26ap+1f, tail = float(cubic_linear * cubic_log2_e - double(head));
  constexpr float cube = float(cubic_cube * cubic_log2_e),
                  cube_low = float(cubic_cube * cubic_log2_e - double(cube));
  const float t2 = t * t, t2_low = fma_x(t, t, -t2), rate = madd(cube, t2, head);
  return {rate, madd(cube_low, t2, madd(cube, t2_low, fma_x(cube, t2, head - rate)) + tail)};
}
template <class V>
ACTLAB_HD Pair<V> cubic_rate(V t) {
  return {V(cubic_linear * cubic_log2_e) + V(cubic_cube * cubic_log2_e) * t * t, V(0)};
}

/// dy / dt.
ACTLAB_HD Pair<float> cubic_slope(float t) {
  constexpr float head = 0x1.988p+0f, tail = float(cubic_linear - double(head)), cube = float(3 * cubic_cube);
  const float t2 = t * t, slope = madd(cube, t2, head);
  return {slope, fma_x(cube, t2, head - slope) + tail};
}
template <class V>
ACTLAB_HD Pair<V> cubic_slope(V t) {
  return {V(cubic_linear) + V(3 * cubic_cube) * t * t, V(0)};
}

template <class V>
ACTLAB_HD V x_times_sigmoid_of_cubic(V x) {
  const V t = abs_cap(x, V(Limits<V>::cubic_cap));
  return x_times_odds(x, t, exp2_neg(t, cubic_rate(t)));
}
template <class V>
ACTLAB_HD V x_times_sigmoid_of_cubic_derivative(V x) {
  const V t = abs_cap(x, V(Limits<V>::cubic_cap));
  const Pair<V> slope = cubic_slope(t);
  return x_times_odds_derivative(x, exp2_neg(t, cubic_rate(t)), t, slope.high, -t * slope.low);
}

}  // namespace actlab::math
