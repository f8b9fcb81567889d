// GELU, exact.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/normal.h"

namespace actlab::activations {

/// GELU: f(x) = x Phi(x), Phi the cumulative distribution of N(0, 1). Hendrycks, Gimpel 2016,
/// arXiv:1606.08415.
struct Gelu {
  static constexpr ActivationInfo info{
      .name = "gelu", .formula = "x Phi(x)", .gated = "geglu", .accuracy = Accuracy::exact};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::x_times_normal_cdf(x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::x_times_normal_cdf_derivative(x);
  }
};

}  // namespace actlab::activations
