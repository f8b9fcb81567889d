// Loads cuDNN.
#include "kernels/cuda/cudnn/library.h"

#include "kernels/cuda/loaded_library.h"
#include "kernels/error.h"

namespace actlab::cudnn {
namespace {

Library load() {
  const cuda::LoadedLibrary loaded(concat("libcudnn.so.", CUDNN_MAJOR),
                                   {.name = concat("cuDNN ", CUDNN_MAJOR),
                                    .wanted_by = "gemm = \"cudnn\"",
                                    .otherwise = "leave gemm at auto"});
  return {.version = loaded["cudnnGetVersion"],
          .error_string = loaded["cudnnGetErrorString"],
          .last_error_string = loaded["cudnnGetLastErrorString"],
          .create = loaded["cudnnCreate"],
          .destroy = loaded["cudnnDestroy"],
          .set_stream = loaded["cudnnSetStream"],
          .create_tensor = loaded["cudnnCreateTensorDescriptor"],
          .destroy_tensor = loaded["cudnnDestroyTensorDescriptor"],
          .set_tensor = loaded["cudnnSetTensor4dDescriptor"],
          .create_filter = loaded["cudnnCreateFilterDescriptor"],
          .destroy_filter = loaded["cudnnDestroyFilterDescriptor"],
          .set_filter = loaded["cudnnSetFilter4dDescriptor"],
          .create_convolution = loaded["cudnnCreateConvolutionDescriptor"],
          .destroy_convolution = loaded["cudnnDestroyConvolutionDescriptor"],
          .set_convolution = loaded["cudnnSetConvolution2dDescriptor"],
          .set_math = loaded["cudnnSetConvolutionMathType"],
          .forward_algorithms = loaded["cudnnGetConvolutionForwardAlgorithm_v7"],
          .forward_workspace = loaded["cudnnGetConvolutionForwardWorkspaceSize"],
          .forward = loaded["cudnnConvolutionForward"],
          .data_algorithms = loaded["cudnnGetConvolutionBackwardDataAlgorithm_v7"],
          .data_workspace = loaded["cudnnGetConvolutionBackwardDataWorkspaceSize"],
          .data = loaded["cudnnConvolutionBackwardData"],
          .weights_algorithms = loaded["cudnnGetConvolutionBackwardFilterAlgorithm_v7"],
          .weights_workspace = loaded["cudnnGetConvolutionBackwardFilterWorkspaceSize"],
          .weights = loaded["cudnnConvolutionBackwardFilter"]};
}

}  // namespace

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

}  // namespace actlab::cudnn
