// Matmul by OpenBLAS, and convolution by it over gathered patches (im2col).
#pragma once

#include <memory>

#include "kernels/backend.h"

namespace actlab {

/// Scratch is taken from `memory`, as workspace.
std::unique_ptr<MatmulKernels> make_openblas_matmul(Memory& memory);
std::unique_ptr<ConvolutionKernels> make_openblas_convolution(Memory& memory);

}  // namespace actlab
