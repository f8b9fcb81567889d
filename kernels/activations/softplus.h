// Softplus.
#pragma once

#include <array>

#include "kernels/activation.h"
#include "kernels/math/log1p.h"

namespace actlab::activations {

/// Softplus: f(x) = log(1 + exp(beta x)) / beta. Dugas et al. 2000, NIPS 13.
struct Softplus {
  static constexpr ActivationInfo info{
      .name = "softplus", .formula = "log(1 + exp(beta x)) / beta", .accuracy = Accuracy::exact};

  Parameter beta = 1;
  static constexpr std::array parameters{ActivationParameter<Softplus>{"beta", &Softplus::beta, 1e-3, 1e6}};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::softplus(x, beta);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::sigmoid(x, beta);
  }
};

}  // namespace actlab::activations
