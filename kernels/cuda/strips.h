// Matrices cut into parts of rows and strips of columns, for kernels that go down columns. For .cu files.
#pragma once

#include <algorithm>

#include "kernels/cuda/launch.h"
#include "kernels/math/target.h"

namespace actlab::cuda {

/// A block takes a strip of 32 columns in a part of at most 4,096 rows, a thread one column of the strip and
/// every eighth row of the part. Where the cuts are depends on the sizes alone.
class Strips {
 public:
  static constexpr int width = 32;
  static constexpr int rows_at_once = block_threads / width;

  /// About a thousand blocks, where parts of 32 to 4,096 rows give as many.
  Strips(std::int64_t rows, std::int64_t columns)
      : rows_(rows),
        columns_(columns),
        strips_((columns + width - 1) / width),
        part_rows_(std::clamp<std::int64_t>((rows * strips_ + 1023) / 1024, 32, 4096)),
        parts_((rows + part_rows_ - 1) / part_rows_) {}

  Grid grid() const { return {block_for_each(strips_ * parts_).blocks, dim3(width, rows_at_once)}; }

  ACTLAB_HD std::int64_t rows() const { return rows_; }
  ACTLAB_HD std::int64_t columns() const { return columns_; }
  ACTLAB_HD std::int64_t parts() const { return parts_; }
  ACTLAB_HD std::int64_t rows_in(std::int64_t part) const {
    const std::int64_t rest = rows_ - part * part_rows_;
    return rest < part_rows_ ? rest : part_rows_;
  }

  /// Calls f(part, column) for the strips of this block; the column of this thread may lie outside.
  template <class F>
  __device__ void for_each(const F& f) const {
    for (std::int64_t i = blockIdx.x; i < strips_ * parts_; i += gridDim.x)
      f(i / strips_, i % strips_ * width + threadIdx.x);
  }
  /// Calls f(row) for the rows of this thread in a part.
  template <class F>
  __device__ void for_each_row(std::int64_t part, const F& f) const {
    const std::int64_t begin = part * part_rows_, end = begin + rows_in(part);
#pragma unroll 4
    for (std::int64_t row = begin + threadIdx.y; row < end; row += rows_at_once) f(row);
  }

 private:
  std::int64_t rows_, columns_, strips_, part_rows_, parts_;
};

}  // namespace actlab::cuda
