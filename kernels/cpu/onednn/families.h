// Matmul and convolution by oneDNN.
#pragma once

#include <memory>

#include "kernels/backend.h"

namespace actlab {

/// Scratch is taken from `memory`, as workspace.
std::unique_ptr<MatmulKernels> make_onednn_matmul(Memory& memory, Multiplication multiplication);
std::unique_ptr<ConvolutionKernels> make_onednn_convolution(Memory& memory, Multiplication multiplication);

/// What both families also are: able to say which implementations oneDNN chose for the sizes they hold, one
/// line each: "convolution forward x (...): jit:avx2". `ref` and `simple` ones are a hundred times slower.
class OnednnChoices {
 public:
  virtual ~OnednnChoices() = default;
  virtual std::vector<std::string> choices() const = 0;
};

}  // namespace actlab
