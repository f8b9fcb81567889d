// The sigmoid form of GELU.
#pragma once

#include <array>

#include "kernels/activation.h"
#include "kernels/math/sigmoid.h"

namespace actlab::activations {

/// The sigmoid form of GELU: f(x) = x sigmoid(beta x), up to 2.04e-2 from GELU. Hendrycks, Gimpel 2016,
/// arXiv:1606.08415.
struct GeluSigmoid {
  static constexpr ActivationInfo info{
      .name = "gelu_sigmoid", .formula = "x sigmoid(beta x)", .accuracy = Accuracy::exact};

  Parameter beta = 1.702;
  static constexpr std::array parameters{
      ActivationParameter<GeluSigmoid>{"beta", &GeluSigmoid::beta, 0.05, 50}};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::x_times_sigmoid(x, beta);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::x_times_sigmoid_derivative(x, beta);
  }
};

}  // namespace actlab::activations
