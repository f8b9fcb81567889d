// SELU.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/exp.h"

namespace actlab::activations {

/// SELU: f(x) = lambda x for x > 0, else lambda alpha (exp(x) - 1), whose fixed point is mean 0 and
/// variance 1. Klambauer et al. 2017, arXiv:1706.02515. f'(0) = lambda alpha.
struct Selu {
  static constexpr ActivationInfo info{
      .name = "selu", .formula = "1.0507 (x > 0: x, else 1.67326 (exp(x) - 1))", .accuracy = Accuracy::exact};

  static constexpr double lambda = 1.0507009873554804934193349852946;
  static constexpr double lambda_alpha = lambda * 1.6732632423543772848170429916717;

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::select(x < V(0), V(lambda_alpha) * math::expm1_of_negative(x), V(lambda) * x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::keep_nan(x, math::select(x > V(0), V(lambda), math::exp_of_negative(x, V(lambda_alpha))));
  }
};

}  // namespace actlab::activations
