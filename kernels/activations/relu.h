// ReLU.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/basic.h"

namespace actlab::activations {

/// ReLU: f(x) = max(x, 0). Nair, Hinton 2010, ICML. f'(0) = 0, also at -0; NaN passes.
struct Relu {
  static constexpr ActivationInfo info{.name = "relu",
                                       .formula = "max(x, 0)",
                                       .gated = "reglu",
                                       .backward_reads = Reads::output,
                                       .accuracy = Accuracy::exact};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::select(x < V(0), V(0), x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::keep_nan(x, math::select(x > V(0), V(1), V(0)));
  }
  template <class V>
  ACTLAB_HD V df_from_output(V y) const {
    return df(y);
  }
};

}  // namespace actlab::activations
