// What activate, gate and activate_linear compute; outside the graph.
#pragma once

#include "framework/core/tensor.h"
#include "kernels/activation.h"

namespace actlab {

/// f(x) of any shape; f(gate) * up, (..., d), of x (..., 2 * d) where the activation is gated.
Tensor activated(const Tensor& x, const ActivationHandle& activation,
                 MemoryKind kind = Tensor::output_kind());

/// The activation of x: one that observes has x's largest element as its parameter.
ActivationHandle activation_for(const ActivationHandle& activation, const Tensor& x);

/// What backward reads: x, f(x) or nothing; always x where the activation is gated.
Reads reads_of(const ActivationHandle& activation);

/// The gradient of x from dy and `kept`, which is what reads_of() says and otherwise unread.
Tensor activated_gradient(const Tensor& kept, const Tensor& dy, const ActivationHandle& activation);

}  // namespace actlab
