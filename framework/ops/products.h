// Parts that matmul, linear, activate_linear and conv2d are made of; outside the graph.
#pragma once

#include "framework/core/tensor.h"

namespace actlab {

/// t rounded to another type; t itself where it has that type.
Tensor converted(const Tensor& t, DType dtype);

/// op(a) (M, K) times op(b) (K, N), plus the bias (N) where it is defined, as a tensor of the type `result`;
/// op transposes.
Tensor product(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b, DType result,
               const Tensor& bias = {});

/// Sums of the columns of x (rows, columns), in the type that parameters have beside x.
Tensor column_sums(const Tensor& x);

}  // namespace actlab
