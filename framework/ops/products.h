// Parts that matmul, linear and activate_linear are made of; outside the graph.
#pragma once

#include "framework/core/tensor.h"

namespace actlab {

/// op(a) (M, K) times op(b) (K, N), plus the bias (N) where it is defined; op transposes.
Tensor product(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b, const Tensor& bias = {});

/// Sums of the columns of x (rows, columns).
Tensor column_sums(const Tensor& x);

}  // namespace actlab
