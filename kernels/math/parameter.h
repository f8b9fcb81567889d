// A parameter of an activation.
#pragma once

#include <type_traits>

#include "kernels/math/target.h"

namespace actlab {

/// A float32 number, whatever the type of the elements that it is applied to: slope = 0.01 means the float
/// nearest to 0.01 on every backend and in every precision, as in the frameworks that results are compared
/// with.
struct Parameter {
  float value = 0;

  constexpr Parameter() = default;
  constexpr Parameter(double decimal) : value(static_cast<float>(decimal)) {}

  /// The value as V, exactly.
  template <class V>
  ACTLAB_HD constexpr V as() const {
    if constexpr (std::is_same_v<V, float>)
      return value;
    else
      return V(static_cast<double>(value));
  }
};

}  // namespace actlab
