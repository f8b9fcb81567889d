// Hard Swish.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/divide.h"

namespace actlab::activations {

/// Hard Swish: f(x) = x min(max(x + 3, 0), 6) / 6. Howard et al. 2019, arXiv:1905.02244. At the corners f' is
/// that of the outer pieces: f'(-3) = 0, f'(3) = 1.
struct Hardswish {
  static constexpr ActivationInfo info{
      .name = "hardswish", .formula = "x min(max(x + 3, 0), 6) / 6", .accuracy = Accuracy::exact};

  template <class V>
  ACTLAB_HD V f(V x) const {
    const V inside = math::divide(x * (x + V(3)), V(6));
    return math::select(x <= V(-3), V(0), math::select(x >= V(3), x, inside));
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    const V inside = math::divide(V(2) * x + V(3), V(6));
    return math::select(x <= V(-3), V(0), math::select(x >= V(3), V(1), inside));
  }
};

}  // namespace actlab::activations
