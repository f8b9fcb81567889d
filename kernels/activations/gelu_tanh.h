// The tanh form of GELU.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/cubic.h"

namespace actlab::activations {

/// The tanh form of GELU: f(x) = x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))), up to 4.74e-4 from GELU.
/// Hendrycks, Gimpel 2016, arXiv:1606.08415.
struct GeluTanh {
  static constexpr ActivationInfo info{.name = "gelu_tanh",
                                       .formula = "x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))",
                                       .gated = "geglu_tanh",
                                       .accuracy = Accuracy::exact};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::x_times_sigmoid_of_cubic(x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::x_times_sigmoid_of_cubic_derivative(x);
  }
};

}  // namespace actlab::activations
