// Loads cuDNN from where the system's loader finds libraries.
#include "kernels/cuda/cudnn/library.h"

#include <dlfcn.h>

#include "kernels/error.h"

namespace actlab::cudnn {
namespace {

/// A function of the library, which takes the type of what it is assigned to.
struct Symbol {
  void* library;
  const char* name;

  template <class F>
  operator F*() const {
    void* const found = dlsym(library, name);
    if (found == nullptr)
      throw ConfigError(concat(dlerror(), "; gemm = \"cudnn\" needs another cuDNN ", CUDNN_MAJOR,
                               ", or leave gemm at auto"));
    return reinterpret_cast<F*>(found);
  }
};

Library load() {
  const std::string file = concat("libcudnn.so.", CUDNN_MAJOR);
  void* const opened = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (opened == nullptr)
    throw ConfigError(concat(dlerror(), "; gemm = \"cudnn\" needs cuDNN ", CUDNN_MAJOR,
                             ": install it, or put the folder of ", file,
                             " in LD_LIBRARY_PATH, or leave gemm at auto"));
  const auto symbol = [&](const char* name) { return Symbol{opened, name}; };
  return {.version = symbol("cudnnGetVersion"),
          .error_string = symbol("cudnnGetErrorString"),
          .last_error_string = symbol("cudnnGetLastErrorString"),
          .create = symbol("cudnnCreate"),
          .destroy = symbol("cudnnDestroy"),
          .set_stream = symbol("cudnnSetStream"),
          .create_tensor = symbol("cudnnCreateTensorDescriptor"),
          .destroy_tensor = symbol("cudnnDestroyTensorDescriptor"),
          .set_tensor = symbol("cudnnSetTensor4dDescriptor"),
          .create_filter = symbol("cudnnCreateFilterDescriptor"),
          .destroy_filter = symbol("cudnnDestroyFilterDescriptor"),
          .set_filter = symbol("cudnnSetFilter4dDescriptor"),
          .create_convolution = symbol("cudnnCreateConvolutionDescriptor"),
          .destroy_convolution = symbol("cudnnDestroyConvolutionDescriptor"),
          .set_convolution = symbol("cudnnSetConvolution2dDescriptor"),
          .set_math = symbol("cudnnSetConvolutionMathType"),
          .forward_algorithms = symbol("cudnnGetConvolutionForwardAlgorithm_v7"),
          .forward_workspace = symbol("cudnnGetConvolutionForwardWorkspaceSize"),
          .forward = symbol("cudnnConvolutionForward"),
          .data_algorithms = symbol("cudnnGetConvolutionBackwardDataAlgorithm_v7"),
          .data_workspace = symbol("cudnnGetConvolutionBackwardDataWorkspaceSize"),
          .data = symbol("cudnnConvolutionBackwardData"),
          .weights_algorithms = symbol("cudnnGetConvolutionBackwardFilterAlgorithm_v7"),
          .weights_workspace = symbol("cudnnGetConvolutionBackwardFilterWorkspaceSize"),
          .weights = symbol("cudnnConvolutionBackwardFilter")};
}

}  // namespace

const Library& library() {
  static const Library loaded = load();
  return loaded;
}

}  // namespace actlab::cudnn
