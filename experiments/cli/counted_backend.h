// A backend that counts the arithmetic of its products.
#pragma once

#include <memory>

#include "kernels/backend.h"

namespace actlab {

/// Hands every call on; matmul and convolution are counted, a multiplication and an addition as two
/// operations.
class CountedBackend {
 public:
  explicit CountedBackend(Backend& inner);
  ~CountedBackend();

  Backend& backend() { return backend_; }
  std::int64_t operations() const { return operations_; }

 private:
  std::int64_t operations_ = 0;
  std::unique_ptr<MatmulKernels> matmul_;
  std::unique_ptr<ConvolutionKernels> convolution_;
  Backend backend_;
};

}  // namespace actlab
