// Average-pooling of NHWC images.
#pragma once

#include "kernels/backend.h"

namespace actlab {

/// y = the mean of each window of x, the sums in double.
void average_pool(const PoolSizes& sizes, const float* x, float* y);
/// dx = the sum of dy / kernel^2 over the windows that hold the place.
void average_pool_gradient(const PoolSizes& sizes, const float* dy, float* dx);

}  // namespace actlab
