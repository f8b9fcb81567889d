// SiLU.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/sigmoid.h"

namespace actlab::activations {

/// SiLU (Swish with beta = 1): f(x) = x sigmoid(x). Elfwing, Uchibe, Doya 2017, arXiv:1702.03118.
struct Silu {
  static constexpr ActivationInfo info{
      .name = "silu", .formula = "x sigmoid(x)", .gated = "swiglu", .accuracy = Accuracy::exact};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::x_times_sigmoid(x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::x_times_sigmoid_derivative(x);
  }
};

}  // namespace actlab::activations
