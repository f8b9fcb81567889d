// Mish.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/mish.h"

namespace actlab::activations {

/// Mish: f(x) = x tanh(log(1 + exp(x))). Misra 2019, arXiv:1908.08681.
struct Mish {
  static constexpr ActivationInfo info{
      .name = "mish", .formula = "x tanh(log(1 + exp(x)))", .accuracy = Accuracy::exact};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::x_times_tanh_softplus(x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::x_times_tanh_softplus_derivative(x);
  }
};

}  // namespace actlab::activations
