// The identity: a network without an activation, the baseline of memory and of the gated "bilinear" unit.
#pragma once

#include "kernels/activation.h"
#include "kernels/math/basic.h"

namespace actlab::activations {

/// Identity: f(x) = x. Its gated form is the bilinear unit of Shazeer 2020, arXiv:2002.05202.
struct Identity {
  static constexpr ActivationInfo info{.name = "identity",
                                       .formula = "x",
                                       .gated = "bilinear",
                                       .backward_reads = Reads::nothing,
                                       .accuracy = Accuracy::exact};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return x;
  }
  template <class V>
  ACTLAB_HD V df(V) const {
    return V(1);
  }
};

}  // namespace actlab::activations
