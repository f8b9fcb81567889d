// SiLU as textbooks have it, with a derivative that is 1 % too large: a check must find both.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/sigmoid.h"

namespace actlab::activations {

struct RoughSilu {
  static constexpr ActivationInfo info{
      .name = "rough_silu", .formula = "x sigmoid(x)", .accuracy = Accuracy::exact};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return x * math::sigmoid(x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::x_times_sigmoid_derivative(x) * V(1.01);
  }
};

}  // namespace actlab::activations
