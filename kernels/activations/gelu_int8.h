// GELU in 8-bit integers.
#pragma once

#include <array>

#include "kernels/activation.h"
#include "kernels/math/normal.h"
#include "kernels/math/whole.h"

namespace actlab::activations {

/// GELU from 8-bit integers to 8-bit integers, as a quantised network computes it, simulated in floating
/// point: x = s q is taken to the nearest whole q in [-127, 127], and GELU(x) to the nearest s k. The scale s
/// is the least power of two with 127 s >= range; range is the largest |x| of the tensor unless a value is
/// given. Up to 1.07 s from GELU within the range. df is GELU's, and 0 beyond 127.5 s.
struct GeluInt8 {
  static constexpr ActivationInfo info{
      .name = "gelu_int8", .formula = "s round(GELU(s round(x / s)) / s)", .straight_through = true};

  Parameter range = 8;
  static constexpr std::array parameters{ActivationParameter<GeluInt8>{
      .name = "range", .member = &GeluInt8::range, .least = 1e-30, .most = 1e30, .observed = true}};

  template <class V>
  ACTLAB_HD V f(V x) const {
    const V s = scale<V>(), steps = V(1) / s, most = V(127), q = x * steps;  // s is a power of 2
    const V within = math::select(q < -most, -most, math::select(q > most, most, q));
    const V y = math::x_times_normal_cdf(s * math::whole(within)) * steps;
    return math::keep_nan(x, s * math::whole(y));
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    const V end = V(127.5) * scale<V>();
    return math::select((x > end) | (x < -end), V(0), math::x_times_normal_cdf_derivative(x));
  }

 private:
  template <class V>
  ACTLAB_HD V scale() const {
    return V(math::power_of_two_from(range.as<float>() / 127.0f));
  }
};

}  // namespace actlab::activations
