// cuBLASLt's errors as ours, and its objects with their lifetimes.
#pragma once

#include "kernels/array.h"
#include "kernels/cuda/cublaslt/library.h"
#include "kernels/cuda/loaded_library.h"

namespace actlab::cublaslt {

/// Throws Error "what: cuBLASLt: reason" unless the call succeeded.
template <class What>
void check(cublasStatus_t status, const What& what) {
  ACTLAB_CHECK(status == CUBLAS_STATUS_SUCCESS, what, ": cuBLASLt: ", library().status_string(status), " (",
               library().status_name(status), ")");
}

using Handle = cuda::Owned<cublasLtHandle_t, library, &Library::destroy>;
using Multiply = cuda::Owned<cublasLtMatmulDesc_t, library, &Library::destroy_multiply>;
using Layout = cuda::Owned<cublasLtMatrixLayout_t, library, &Library::destroy_layout>;
using Preference = cuda::Owned<cublasLtMatmulPreference_t, library, &Library::destroy_preference>;

/// An object from the function that makes it.
template <class Object, class Create, class... Arguments>
Object create(const Create& create, Arguments... arguments) {
  typename Object::pointer made{};
  check(create(&made, arguments...), "matmul");
  return Object(made);
}

template <class V>
void set(const Multiply& multiply, cublasLtMatmulDescAttributes_t attribute, V value) {
  check(library().set_multiply(multiply.get(), attribute, &value, sizeof value), "matmul");
}
template <class V>
void set(const Layout& layout, cublasLtMatrixLayoutAttribute_t attribute, V value) {
  check(library().set_layout(layout.get(), attribute, &value, sizeof value), "matmul");
}
template <class V>
void set(const Preference& preference, cublasLtMatmulPreferenceAttributes_t attribute, V value) {
  check(library().set_preference(preference.get(), attribute, &value, sizeof value), "matmul");
}

inline cudaDataType_t type_of(DType dtype) {
  return dtype == DType::bf16 ? CUDA_R_16BF : dtype == DType::f16 ? CUDA_R_16F : CUDA_R_32F;
}

}  // namespace actlab::cublaslt
