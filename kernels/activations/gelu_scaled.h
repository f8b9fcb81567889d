// GELU of a width.
#pragma once

#include <array>

#include "kernels/activation.h"
#include "kernels/math/normal.h"

namespace actlab::activations {

/// GELU of width sigma: f(x) = x Phi(x / sigma), x times the cumulative distribution of N(0, sigma^2), the
/// general form of Hendrycks, Gimpel 2016, arXiv:1606.08415. GELU at sigma = 1, nearer to ReLU as sigma
/// falls. sigma may be trained: the derivative by it is -(x / sigma)^2 phi(x / sigma).
struct GeluScaled {
  static constexpr ActivationInfo info{
      .name = "gelu_scaled", .formula = "x Phi(x / sigma)", .accuracy = Accuracy::exact};

  Parameter sigma = 1;
  static constexpr std::array parameters{
      ActivationParameter<GeluScaled>{"sigma", &GeluScaled::sigma, 0.01, 100, true}};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::x_times_normal_cdf(x, sigma);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::x_times_normal_cdf_derivative(x, sigma);
  }
  template <class V>
  ACTLAB_HD V dparameter(V x) const {
    return math::x_times_normal_cdf_by_sigma(x, sigma);
  }
};

}  // namespace actlab::activations
