// Sums whose bits do not depend on the number of threads.
#pragma once

#include "kernels/backend.h"
#include "kernels/memory.h"

namespace actlab {

/// y (outer, inner) = sum over axis of x (outer, axis, inner), in double: partials of 4,096 elements of one
/// sum, added in order, rounded once. Scratch is taken from `memory`, as workspace.
void sum_axis(Memory& memory, const AxisSizes& sizes, const float* x, float* y);
void sum_axis(Memory& memory, const AxisSizes& sizes, const BFloat16* x, float* y);

/// Sum of the squares of n elements in double, in the same partials; the square of a float cannot overflow.
double sum_of_squares(Memory& memory, std::int64_t n, const float* x);

}  // namespace actlab
