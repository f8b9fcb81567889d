// Reductions over an axis on CUDA devices.
#pragma once

#include "kernels/backend.h"
#include "kernels/memory.h"

namespace actlab::cuda {

/// As of ElementwiseKernels: sums in double, of f32, bf16 or f16, rounded once to f32.
void sum_axis(Memory& memory, const AxisSizes& sizes, ConstArray x, Array y);
void max_axis(const AxisSizes& sizes, ConstArray x, Array y, Array index);
/// Waits for the device.
double largest(Memory& memory, ConstArray x);

}  // namespace actlab::cuda
