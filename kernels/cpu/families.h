// The families of the cpu backend that are written here: f32, threaded, plain loops for the compiler to
// vectorise. Matmul and convolution come from onednn/ or openblas/.
#pragma once

#include <memory>

#include "kernels/backend.h"

namespace actlab {

std::unique_ptr<PoolKernels> make_cpu_pool();
std::unique_ptr<ImageKernels> make_cpu_images();
std::unique_ptr<AttentionKernels> make_cpu_attention();
/// Scratch is taken from `memory`, as workspace; so in the next ones.
std::unique_ptr<RowKernels> make_cpu_rows(Memory& memory);
std::unique_ptr<NormKernels> make_cpu_norm(Memory& memory);
std::unique_ptr<LossKernels> make_cpu_loss(Memory& memory);
std::unique_ptr<ElementwiseKernels> make_cpu_elementwise(Memory& memory);
std::unique_ptr<OptimizerKernels> make_cpu_optimizer(Memory& memory);

}  // namespace actlab
