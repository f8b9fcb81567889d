// A batch of products, one by one as BLAS takes them: a thread computes whole matrices, so that their bits do
// not depend on the number of threads. A single product has them all.
#pragma once

#include "kernels/backend.h"
#include "kernels/cpu/parallel.h"
#include "kernels/f32.h"

namespace actlab {

/// A matrix of BLAS: rows, or columns where it is transposed, `line` elements apart.
struct BlasMatrix {
  const float* data;
  bool transposed;
  std::int64_t line;
};

/// Calls product(a, b, y, line of y) for every matrix of the batch; it must not throw.
template <class F>
void for_each_product(const BatchedSizes& sizes, ConstArray a, const MatrixPlaces& a_at, ConstArray b,
                      const MatrixPlaces& b_at, Array y, const MatrixPlaces& y_at, const F& product) {
  constexpr const char* operation = "batched matmul";
  ACTLAB_CHECK(sizes.k >= 1 && y_at.column_step == 1, operation, ": the inner size is ", sizes.k,
               " and y's column step ", y_at.column_step, "; at least 1, and 1, are needed");
  const float* left = f32(operation, a);
  const float* right = f32(operation, b);
  float* out = f32(operation, y);
  if (sizes.m == 0 || sizes.n == 0) return;
  // A single line may be as long as it likes, whatever the step to the next one would be.
  const auto matrix = [&](const float* data, const MatrixPlaces& at, std::int64_t i, std::int64_t rows,
                          std::int64_t columns) {
    const bool transposed = at.column_step != 1;
    const std::int64_t line = transposed ? std::max(at.column_step, rows) : std::max(at.row_step, columns);
    return BlasMatrix{data + at.matrix(sizes, i), transposed, line};
  };
  parallel_for(sizes.outer * sizes.inner, rows_a_part(sizes.m * sizes.n * sizes.k),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t i = begin; i < end; ++i)
                   product(matrix(left, a_at, i, sizes.m, sizes.k), matrix(right, b_at, i, sizes.k, sizes.n),
                           out + y_at.matrix(sizes, i), std::max(y_at.row_step, sizes.n));
               });
}

}  // namespace actlab
