// Sums down columns on CUDA devices: a block for each partial, then a team of threads for each column.
#include "kernels/cuda/column_sums.h"

#include "kernels/cuda/reduce.h"
#include "kernels/cuda/strips.h"

namespace actlab::cuda {
namespace {

// Two sums for each part of each column: (2, columns, parts).
struct Partials {
  double* sums;
  std::int64_t columns, parts;

  ACTLAB_HD double* of_column(int which, std::int64_t column) const {
    return sums + (which * columns + column) * parts;
  }
};

// The sum of what the threads of each column have; called by the whole block.
__device__ double sum_of_column(double value) {
  ACTLAB_SHARED(double, values, [Strips::rows_at_once][Strips::width]);
  __syncthreads();  // what the last call left there has been read
  values[threadIdx.y][threadIdx.x] = value;
  __syncthreads();
  double sum = 0;
  for (int row = 0; row < Strips::rows_at_once; ++row) sum += values[row][threadIdx.x];
  return sum;
}

// Of each part, the mean and the sum of squared differences from it.
__global__ void __launch_bounds__(block_threads)
    moments_kernel(Strips strips, const float* x, Partials partials) {
  strips.for_each([=](std::int64_t part, std::int64_t column) {
    const bool inside = column < strips.columns();
    double sum = 0, squares = 0;
    if (inside)
      strips.for_each_row(part, [&](std::int64_t row) { sum += double{x[row * strips.columns() + column]}; });
    const double mean = sum_of_column(sum) / static_cast<double>(strips.rows_in(part));
    if (inside) {
      strips.for_each_row(part, [&](std::int64_t row) {
        const double difference = double{x[row * strips.columns() + column]} - mean;
        squares += difference * difference;
      });
    }
    squares = sum_of_column(squares);
    if (!inside || threadIdx.y != 0) return;
    partials.of_column(0, column)[part] = mean;
    partials.of_column(1, column)[part] = squares;
  });
}

__global__ void __launch_bounds__(block_threads)
    join_moments_kernel(Strips strips, Partials partials, double* moments) {
  const auto rows = static_cast<double>(strips.rows());
  for_each_row(strips.columns(), [=](std::int64_t column) {
    const double* const means = partials.of_column(0, column);
    const double* const squares = partials.of_column(1, column);
    const auto weight = [=](std::int64_t part) { return static_cast<double>(strips.rows_in(part)); };
    const double mean =
        team_sum_of(strips.parts(), [=](std::int64_t part) { return means[part] * weight(part); }) / rows;
    const double spread = team_sum_of(strips.parts(), [=](std::int64_t part) {
      const double apart = means[part] - mean;
      return squares[part] + apart * apart * weight(part);
    });
    if (threadIdx.x != 0) return;
    moments[column] = mean;
    moments[strips.columns() + column] = spread / rows;
  });
}

__global__ void __launch_bounds__(block_threads)
    gradients_kernel(Strips strips, Standardised x, const float* dy, Partials partials) {
  strips.for_each([=](std::int64_t part, std::int64_t column) {
    const bool inside = column < strips.columns();
    double sum = 0, product = 0;
    if (inside) {
      strips.for_each_row(part, [&](std::int64_t row) {
        const std::int64_t at = row * strips.columns() + column, group = x.by_row ? row : column;
        const double gradient = double{dy[at]};
        sum += gradient;
        product += gradient * ((double{x.x[at]} - x.mean[group]) * x.scale[group]);
      });
    }
    sum = sum_of_column(sum);
    product = sum_of_column(product);
    if (!inside || threadIdx.y != 0) return;
    partials.of_column(0, column)[part] = sum;
    partials.of_column(1, column)[part] = product;
  });
}

// Lines are the columns for the sums, then the columns for the products.
__global__ void __launch_bounds__(block_threads)
    join_gradients_kernel(Partials partials, double* sums, float* sum, float* product) {
  const std::int64_t columns = partials.columns;
  for_each_row(2 * columns, [=](std::int64_t line) {
    const double* const parts = partials.of_column(0, line);
    const double total = team_sum_of(partials.parts, [=](std::int64_t part) { return parts[part]; });
    if (threadIdx.x != 0) return;
    sums[line] = total;
    (line < columns ? sum[line] : product[line - columns]) = static_cast<float>(total);
  });
}

Buffer pair_of_sums(Memory& memory, std::int64_t lines) {
  return {memory, 2 * lines * std::int64_t{sizeof(double)}, MemoryKind::workspace};
}

}  // namespace

void column_moments(Memory& memory, std::int64_t rows, std::int64_t columns, const float* x,
                    double* moments) {
  const Strips strips(rows, columns);
  const Buffer scratch = pair_of_sums(memory, columns * strips.parts());
  const Partials partials{static_cast<double*>(scratch.data()), columns, strips.parts()};
  launch("norm", moments_kernel, strips.grid(), strips, x, partials);
  launch("norm", join_moments_kernel, teams_for(columns, strips.parts()), strips, partials, moments);
}

Buffer column_gradients(Memory& memory, std::int64_t rows, std::int64_t columns, const Standardised& x,
                        const float* dy, float* sum, float* product) {
  const Strips strips(rows, columns);
  const Buffer scratch = pair_of_sums(memory, columns * strips.parts());
  const Partials partials{static_cast<double*>(scratch.data()), columns, strips.parts()};
  Buffer sums = pair_of_sums(memory, columns);
  launch("norm", gradients_kernel, strips.grid(), strips, x, dy, partials);
  launch("norm", join_gradients_kernel, teams_for(2 * columns, strips.parts()), partials,
         static_cast<double*>(sums.data()), sum, product);
  return sums;
}

}  // namespace actlab::cuda
