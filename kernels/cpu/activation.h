// The activation family on the CPU.
#pragma once

#include <memory>

#include "kernels/backend.h"

namespace actlab {

/// Activations in f32, bf16 and f16 by the loops of one instruction set, over the OpenMP threads. Throws
/// ConfigError where the CPU lacks it.
std::unique_ptr<ActivationKernels> make_cpu_activation(Isa isa);

}  // namespace actlab
