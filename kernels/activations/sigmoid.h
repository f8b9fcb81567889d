// The logistic sigmoid.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/sigmoid.h"

namespace actlab::activations {

/// Sigmoid: f(x) = 1 / (1 + exp(-x)). Its gated form is the GLU of Dauphin et al. 2016, arXiv:1612.08083.
struct Sigmoid {
  static constexpr ActivationInfo info{
      .name = "sigmoid", .formula = "1 / (1 + exp(-x))", .gated = "glu", .accuracy = Accuracy::exact};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::sigmoid(x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::sigmoid_derivative(x);
  }
};

}  // namespace actlab::activations
