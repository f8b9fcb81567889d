// Loads cuBLASLt.
#include "kernels/cuda/cublaslt/library.h"

#include "kernels/cuda/loaded_library.h"
#include "kernels/error.h"

namespace actlab::cublaslt {
namespace {

Library load() {
  const cuda::LoadedLibrary loaded(concat("libcublasLt.so.", CUBLAS_VER_MAJOR),
                                   {.name = concat("cuBLASLt ", CUBLAS_VER_MAJOR),
                                    .wanted_by = "device = \"cuda\"",
                                    .otherwise = "use device = \"cpu\""});
  return {.version = loaded["cublasLtGetVersion"],
          .status_string = loaded["cublasLtGetStatusString"],
          .status_name = loaded["cublasLtGetStatusName"],
          .create = loaded["cublasLtCreate"],
          .destroy = loaded["cublasLtDestroy"],
          .create_multiply = loaded["cublasLtMatmulDescCreate"],
          .destroy_multiply = loaded["cublasLtMatmulDescDestroy"],
          .set_multiply = loaded["cublasLtMatmulDescSetAttribute"],
          .create_layout = loaded["cublasLtMatrixLayoutCreate"],
          .destroy_layout = loaded["cublasLtMatrixLayoutDestroy"],
          .set_layout = loaded["cublasLtMatrixLayoutSetAttribute"],
          .create_preference = loaded["cublasLtMatmulPreferenceCreate"],
          .destroy_preference = loaded["cublasLtMatmulPreferenceDestroy"],
          .set_preference = loaded["cublasLtMatmulPreferenceSetAttribute"],
          .algorithms = loaded["cublasLtMatmulAlgoGetHeuristic"],
          .matmul = loaded["cublasLtMatmul"]};
}

}  // namespace

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

}  // namespace actlab::cublaslt
