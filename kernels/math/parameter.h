// A parameter of an activation.
#pragma once

#include "kernels/math/target.h"

namespace actlab {

/// A float32 number, whatever the type of the elements that it is applied to: slope = 0.01 means the float
/// nearest to 0.01 on every backend and in every precision, as in the frameworks that results are compared
/// with. Only a trained value is as precise as the tensor that holds it: a double in gradient checks.
struct Parameter {
  double value = 0;

  constexpr Parameter() = default;
  constexpr Parameter(double decimal) : value(static_cast<float>(decimal)) {}
  ACTLAB_HD static constexpr Parameter trained(double value) {
    Parameter parameter;
    parameter.value = value;
    return parameter;
  }

  /// The value as V: exactly, but for a double that was trained as one and is read as a float.
  template <class V>
  ACTLAB_HD constexpr V as() const {
    return static_cast<V>(value);
  }
};

}  // namespace actlab
