// The check of trained parameters of activations, before any of them is used.
#pragma once

#include "kernels/activation.h"
#include "kernels/array.h"

namespace actlab {

inline std::string learned_text(std::string_view activation, std::string_view parameter, double value,
                                double least, double most) {
  return concat("activate: ", activation, " with ", parameter, " = ", value, ", which must lie in [", least,
                ", ", most, "]; keep_in_range() brings it back after an update");
}

/// Throws Error where there is none.
inline const ParameterInfo& learnable_parameter(const ActivationHandle& activation) {
  const ParameterInfo* info = activation.type().learnable();
  ACTLAB_CHECK(info != nullptr, "activation ", activation.info().name, " has no learnable parameter");
  return *info;
}

/// `learned` is f32 or f64; throws Error with the first value outside the range of the learnable parameter,
/// and where there is none.
inline void check_learned(const ActivationHandle& activation, ConstArray learned) {
  const ParameterInfo& info = learnable_parameter(activation);
  for (std::int64_t i = 0; i < learned.count(); ++i) {
    const double value =
        learned.dtype == DType::f64 ? learned.as<double>()[i] : double{learned.as<float>()[i]};
    if (!info.holds(value))
      throw Error(learned_text(activation.info().name, info.name, value, info.least, info.most));
  }
}

}  // namespace actlab
