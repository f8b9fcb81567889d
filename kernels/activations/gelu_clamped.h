// GELU of a clamped argument.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/sigmoid.h"

namespace actlab::activations {

/// c sigmoid(1.702 c) with c = x kept within [-3, 3]: the sigmoid form of GELU where nothing may be large. Up
/// to 2.04e-2 from GELU in [-3, 3]; beyond it stays at -0.018 and 2.98, so that large x are lost. At the
/// corners f' is that of the outer pieces, 0.
struct GeluClamped {
  static constexpr ActivationInfo info{.name = "gelu_clamped",
                                       .formula = "c sigmoid(1.702 c), c = min(max(x, -3), 3)"};

  template <class V>
  ACTLAB_HD V f(V x) const {
    const V c = math::select(x < V(-3), V(-3), math::select(x > V(3), V(3), x));
    return math::x_times_sigmoid(c, Parameter(1.702));
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    const V inside = math::x_times_sigmoid_derivative(x, Parameter(1.702));
    return math::select((x <= V(-3)) | (x >= V(3)), V(0), inside);
  }
};

}  // namespace actlab::activations
