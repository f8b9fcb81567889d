// Swish.
#pragma once

#include <array>

#include "kernels/activation.h"
#include "kernels/math/sigmoid.h"

namespace actlab::activations {

/// Swish: f(x) = x sigmoid(beta x). Ramachandran, Zoph, Le 2017, arXiv:1710.05941. Any beta: towards +-inf f
/// becomes max(x, 0) or min(x, 0), at 0 it is x / 2. The promise for f' holds for |beta| from 0.05 to 50.
/// Below |beta| = 1e-9 the tail beyond beta x = -131 stays at its value there instead of falling to 0. beta
/// may be trained: the derivative by it is x^2 sigmoid'(beta x).
struct Swish {
  static constexpr ActivationInfo info{
      .name = "swish", .formula = "x sigmoid(beta x)", .accuracy = Accuracy::exact};

  Parameter beta = 1;
  static constexpr std::array parameters{ActivationParameter<Swish>{"beta", &Swish::beta, -1e38, 1e38, true}};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::x_times_sigmoid(x, beta);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::x_times_sigmoid_derivative(x, beta);
  }
  template <class V>
  ACTLAB_HD V dparameter(V x) const {
    return math::x_times_sigmoid_by_slope(x, beta);
  }
};

}  // namespace actlab::activations
