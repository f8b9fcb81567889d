// cuDNN's errors as ours, and its objects with their lifetimes.
#pragma once

#include <array>
#include <memory>
#include <type_traits>

#include "kernels/array.h"
#include "kernels/cuda/cudnn/library.h"
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

template <class Pointer, auto destroy>
struct Destroy {
  using pointer = Pointer;
  void operator()(Pointer object) const noexcept { (library().*destroy)(object); }
};
template <class Pointer, auto destroy>
using Owned = std::unique_ptr<std::remove_pointer_t<Pointer>, Destroy<Pointer, destroy>>;

using Handle = Owned<cudnnHandle_t, &Library::destroy>;
using Tensor = Owned<cudnnTensorDescriptor_t, &Library::destroy_tensor>;
using Filter = Owned<cudnnFilterDescriptor_t, &Library::destroy_filter>;
using Convolution = Owned<cudnnConvolutionDescriptor_t, &Library::destroy_convolution>;

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
