// An operation: every channel of an image times a number of its own.
#pragma once

#include "framework/core/tensor.h"

namespace example {

/// y[n, h, w, c] = x[n, h, w, c] * factors[n, c], x (N, H, W, C), factors (N, C). f32, or f64 on the
/// reference backend.
actlab::Tensor scale_channels(const actlab::Tensor& x, const actlab::Tensor& factors);

}  // namespace example
