// Sums down the columns of matrices, for norms: fixed partials of at most 4,096 rows, fewer where rows are
// long, joined in order, so that the bits do not depend on the number of threads.
#pragma once

#include <cstdint>

#include "kernels/memory.h"

namespace actlab {

/// moments (2, columns): mean and biased variance of each column of x (rows, columns), rows >= 1. Two passes
/// over each part; parts are joined as Chan, Golub and LeVeque 1979 do.
void column_moments(Memory& memory, std::int64_t rows, std::int64_t columns, const float* x, double* moments);

/// (x - mean) * scale, both by column or both by row.
struct Standardised {
  const float* x;
  const double* mean;
  const double* scale;
  bool by_row;
};

/// sums (2, columns): of dy (rows, columns), and of dy times the standardised x.
void column_gradients(Memory& memory, std::int64_t rows, std::int64_t columns, const Standardised& x,
                      const float* dy, double* sums);

}  // namespace actlab
