// Convolution by cuDNN.
#pragma once

#include <memory>
#include <string>

#include "kernels/backend.h"

namespace actlab {

/// Scratch is taken from `memory`, as workspace. Throws ConfigError where cuDNN cannot be loaded.
std::unique_ptr<ConvolutionKernels> make_cudnn_convolution(Memory& memory, Multiplication multiplication);

/// "cuDNN 9.19.0", or why it cannot be loaded after "no: "; asks no device.
std::string loaded_cudnn();

}  // namespace actlab
