// Leaky ReLU.
#pragma once

#include <array>

#include "kernels/activation.h"
#include "kernels/math/basic.h"

namespace actlab::activations {

/// Leaky ReLU: f(x) = x for x > 0, else slope x. Maas, Hannun, Ng 2013, ICML. f'(0) = slope; NaN passes.
struct LeakyRelu {
  static constexpr ActivationInfo info{
      .name = "leaky_relu", .formula = "x > 0: x, else slope x", .accuracy = Accuracy::exact};

  Parameter slope = 0.01;
  static constexpr std::array parameters{
      ActivationParameter<LeakyRelu>{"slope", &LeakyRelu::slope, -1e6, 1e6}};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::select(x > V(0), x, slope.as<V>() * x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::keep_nan(x, math::select(x > V(0), V(1), slope.as<V>()));
  }
};

}  // namespace actlab::activations
