// Matmul by OpenBLAS, and convolution by it over gathered patches (im2col).
#pragma once

#include <memory>

#include "kernels/backend.h"

namespace actlab {

std::unique_ptr<MatmulKernels> make_openblas_matmul();
/// Scratch is taken from `memory`, as workspace.
std::unique_ptr<ConvolutionKernels> make_openblas_convolution(Memory& memory);

}  // namespace actlab
