// Squared ReLU.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/basic.h"

namespace actlab::activations {

/// Squared ReLU: f(x) = max(x, 0)^2. So et al. 2021, "Primer", arXiv:2109.08668.
struct ReluSquared {
  static constexpr ActivationInfo info{
      .name = "relu_squared", .formula = "max(x, 0)^2", .accuracy = Accuracy::exact};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::select(x < V(0), V(0), x * x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::select(x <= V(0), V(0), V(2) * x);
  }
};

}  // namespace actlab::activations
