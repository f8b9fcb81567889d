// cuDNN's errors as ours, and its objects with their lifetimes.
#pragma once

#include <array>

#include "kernels/array.h"
#include "kernels/cuda/cudnn/library.h"
#include "kernels/cuda/loaded_library.h"
#include "kernels/error.h"

namespace actlab::cudnn {

/// Throws Error "what: cuDNN: reason" unless the call succeeded.
template <class What>
void check(cudnnStatus_t status, const What& what) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  std::array<char, 512> details{};
  library().last_error_string(details.data(), details.size() - 1);
  throw Error(concat(what, ": cuDNN: ", library().error_string(status), details[0] == '\0' ? "" : ": ",
                     details.data(), "; gemm = \"auto\" computes it another way"));
}

using Handle = cuda::Owned<cudnnHandle_t, library, &Library::destroy>;
using Tensor = cuda::Owned<cudnnTensorDescriptor_t, library, &Library::destroy_tensor>;
using Filter = cuda::Owned<cudnnFilterDescriptor_t, library, &Library::destroy_filter>;
using Convolution = cuda::Owned<cudnnConvolutionDescriptor_t, library, &Library::destroy_convolution>;

/// An object from the function that makes it.
template <class Object, class Create>
Object create(const Create& create) {
  typename Object::pointer made{};
  check(create(&made), "convolution");
  return Object(made);
}

inline cudnnDataType_t type_of(DType dtype) {
  return dtype == DType::bf16  ? CUDNN_DATA_BFLOAT16
         : dtype == DType::f16 ? CUDNN_DATA_HALF
                               : CUDNN_DATA_FLOAT;
}

}  // namespace actlab::cudnn
