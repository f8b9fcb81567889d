// The families of the cuda backend. All work on the stream of kernels/cuda/runtime.h; scratch is taken from
// `memory`, as workspace.
#pragma once

#include <memory>
#include <string>

#include "kernels/backend.h"

namespace actlab {

/// "cuBLASLt 13.1.0", or why it cannot be loaded after "no: "; asks no device.
std::string loaded_cublaslt();

/// Why no device can be used, in the runtime's words; empty where one can.
std::string missing_cuda_device();

/// Takes device number `index` for this process, and gives its memory; throws ConfigError where there is no
/// such device, with the reason.
Memory& use_cuda_device(int index);

/// Throws ConfigError where cuBLASLt cannot be loaded.
std::unique_ptr<MatmulKernels> make_cuda_matmul(Memory& memory, Multiplication multiplication);
std::unique_ptr<ConvolutionKernels> make_cuda_convolution(Memory& memory);
std::unique_ptr<ActivationKernels> make_cuda_activation();
std::unique_ptr<PoolKernels> make_cuda_pool();
std::unique_ptr<ImageKernels> make_cuda_images(Memory& memory);
std::unique_ptr<RowKernels> make_cuda_rows(Memory& memory);
std::unique_ptr<AttentionKernels> make_cuda_attention(Memory& memory);
std::unique_ptr<NormKernels> make_cuda_norm(Memory& memory);
std::unique_ptr<LossKernels> make_cuda_loss(Memory& memory);
std::unique_ptr<ElementwiseKernels> make_cuda_elementwise(Memory& memory);
std::unique_ptr<OptimizerKernels> make_cuda_optimizer(Memory& memory);

}  // namespace actlab
