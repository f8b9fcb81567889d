// ELU.
#pragma once

#include <array>

#include "kernels/activation.h"
#include "kernels/math/exp.h"

namespace actlab::activations {

/// ELU: f(x) = x for x > 0, else alpha (exp(x) - 1). Clevert, Unterthiner, Hochreiter 2015, arXiv:1511.07289.
/// f'(0) = alpha.
struct Elu {
  static constexpr ActivationInfo info{
      .name = "elu", .formula = "x > 0: x, else alpha (exp(x) - 1)", .accuracy = Accuracy::exact};

  Parameter alpha = 1;
  static constexpr std::array parameters{ActivationParameter<Elu>{"alpha", &Elu::alpha, 0, 1000}};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::select(x < V(0), alpha.as<V>() * math::expm1_of_negative(x), x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::keep_nan(x, math::select(x > V(0), V(1), math::exp_of_negative(x, alpha.as<V>())));
  }
};

}  // namespace actlab::activations
