// Squareplus.
#pragma once

#include <array>

#include "kernels/activation.h"
#include "kernels/math/basic.h"

namespace actlab::activations {

/// Squareplus: f(x) = (x + sqrt(x^2 + b)) / 2. Barron 2021, arXiv:2112.11687. For x < 0 that sum cancels, so
/// the bodies add to max(x, 0) what f has above it, b / 2 / (sqrt(x^2 + b) + |x|).
struct Squareplus {
  static constexpr ActivationInfo info{
      .name = "squareplus", .formula = "(x + sqrt(x^2 + b)) / 2", .gated = "squareplus_glu"};

  Parameter b = 4;
  static constexpr std::array parameters{
      ActivationParameter<Squareplus>{"b", &Squareplus::b, 0.1, 100, true}};
  static constexpr std::array checks{ActivationCheck{0, 1}, ActivationCheck{1.5, 2},
                                     ActivationCheck{-1.5, 0.5}};

  template <class V>
  ACTLAB_HD V f(V x) const {
    return math::select(x > V(0), x, V(0)) + above(x);
  }
  template <class V>
  ACTLAB_HD V df(V x) const {
    const V left = above(x) / root(x);  // f'(-|x|)
    return math::select(x > V(0), V(1) - left, left);
  }
  template <class V>
  ACTLAB_HD V dparameter(V x) const {
    return V(0.25) / root(x);
  }

 private:
  template <class V>
  ACTLAB_HD V root(V x) const {
    return math::sqrt(x * x + b.as<V>());
  }
  template <class V>
  ACTLAB_HD V above(V x) const {
    return V(0.5) * b.as<V>() / (root(x) + math::select(x > V(0), x, -x));
  }
};

}  // namespace actlab::activations
