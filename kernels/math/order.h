// The bits of floats as integers in the order of the floats.
#pragma once

#include "kernels/math/basic.h"

namespace actlab::math {

/// Integers in the order of the floats whose bits they are, NaNs at both ends, and back: a maximum of them
/// vectorises, where one of floats that minds NaN does not.
ACTLAB_HD std::int32_t in_order(std::int32_t bits) { return bits ^ ((bits >> 31) & 0x7fffffff); }

}  // namespace actlab::math
