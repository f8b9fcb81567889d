// GELU by a table.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/gelu_table.h"

namespace actlab::activations {

/// GELU between the values of a table, 1/64 apart in [-6, 6), by straight lines; 0 below it and x above. Up
/// to 2.5e-5 from GELU. df is a table of GELU's slope, up to 2.5e-5 from that.
struct GeluLut {
  static constexpr ActivationInfo info{
      .name = "gelu_lut", .formula = "x Phi(x) by a table of 768 lines", .straight_through = true};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::select(x >= V(6), x, math::in_gelu_table(math::gelu_values, x));
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    return math::select(x >= V(6), V(1), math::in_gelu_table(math::gelu_slopes, x));
  }
};

}  // namespace actlab::activations
