// A parameter of an activation, usable in float bodies without double arithmetic and without losing its
// decimal value.
#pragma once

#include "kernels/math/target.h"

namespace actlab {

/// A decimal constant as double and as the unevaluated float sum high + low (error below 2^-48 relative).
struct Parameter {
  double exact = 0;
  float high = 0;
  float low = 0;

  constexpr Parameter() = default;
  constexpr Parameter(double value)
      : exact(value),
        high(static_cast<float>(value)),
        low(static_cast<float>(value - static_cast<double>(high))) {}

  /// The value as V: rounded for float, exact for double and Dual.
  template <class V>
  ACTLAB_HD constexpr V as() const;
  /// What `as` left out: value - as<V>().
  template <class V>
  ACTLAB_HD constexpr V rest() const;
};

template <class V>
ACTLAB_HD constexpr V Parameter::as() const {
  return V(exact);
}
template <class V>
ACTLAB_HD constexpr V Parameter::rest() const {
  return V(0);
}
template <>
ACTLAB_HD constexpr float Parameter::as<float>() const {
  return high;
}
template <>
ACTLAB_HD constexpr float Parameter::rest<float>() const {
  return low;
}

}  // namespace actlab
