// The activation family of the reference backend.
#pragma once

#include <memory>

#include "kernels/backend.h"

namespace actlab {

/// Activations by their bodies in double, for f64, f32, bf16 and f16, each result rounded once.
std::unique_ptr<ActivationKernels> make_reference_activation();

}  // namespace actlab
