// Sums whose bits do not depend on the number of threads.
#pragma once

#include "kernels/backend.h"
#include "kernels/memory.h"

namespace actlab {

/// y (outer, inner) = sum over axis of x (outer, axis, inner), in double: partials of 4,096 elements of one
/// sum, added in order, rounded once. Scratch is taken from `memory`, as workspace.
void sum_axis(Memory& memory, const AxisSizes& sizes, const float* x, float* y);

}  // namespace actlab
