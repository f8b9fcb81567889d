// The hyperbolic tangent.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/sigmoid.h"

namespace actlab::activations {

/// Tanh: f(x) = tanh(x). LeCun et al. 1998, "Efficient BackProp".
struct Tanh {
  static constexpr ActivationInfo info{.name = "tanh", .formula = "tanh(x)", .accuracy = Accuracy::exact};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::tanh(x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::tanh_derivative(x);
  }
};

}  // namespace actlab::activations
