// The activations that can be learned.
#pragma once

#include <vector>

#include "kernels/activation.h"

namespace actlab {

/// Each with its defaults, not learned.
inline std::vector<ActivationHandle> learnable() {
  std::vector<ActivationHandle> all;
  for (const ActivationType& type : activation_types())
    if (type.learnable() != nullptr) all.push_back(ActivationHandle::parse(type.info.name));
  return all;
}

}  // namespace actlab
