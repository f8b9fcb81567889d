// Sums down the columns of matrices in device memory, for norms: fixed partials of at most 4,096 rows, joined
// in a fixed order.
#pragma once

#include <cstdint>

#include "kernels/memory.h"

namespace actlab::cuda {

/// moments (2, columns): mean and biased variance of each column of x (rows, columns), rows >= 1. Two passes
/// over each part, and over the parts.
void column_moments(Memory& memory, std::int64_t rows, std::int64_t columns, const float* x, double* moments);

/// (x - mean) * scale, both by column or both by row.
struct Standardised {
  const float* x;
  const double* mean;
  const double* scale;
  bool by_row;
};

/// The sum of each column of dy (rows, columns), and of dy times the standardised x; the result (2, columns)
/// is the same in f64.
Buffer column_gradients(Memory& memory, std::int64_t rows, std::int64_t columns, const Standardised& x,
                        const float* dy, float* sum, float* product);

}  // namespace actlab::cuda
