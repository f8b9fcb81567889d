// The checks of indices and lengths, before any of them is used as one.
#pragma once

#include "kernels/array.h"

namespace actlab {

/// i32 values, each in [least, most]; throws Error with the first that is not, called `name`, and its place.
inline const std::int32_t* checked_indices(const char* operation, const char* name, ConstArray values,
                                           std::int64_t least, std::int64_t most) {
  const std::int32_t* checked = values.as<std::int32_t>();
  for (std::int64_t i = 0; i < values.count(); ++i)
    ACTLAB_CHECK(checked[i] >= least && checked[i] <= most, operation, ": ", name, " ", checked[i],
                 " at place ", i, " is outside [", least, ", ", most, "]");
  return checked;
}

}  // namespace actlab
