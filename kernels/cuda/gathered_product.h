// A matrix product y (m, n) = a (m, k) * b (k, n) whose operands are read by functors from wherever their
// elements lie, in f32. For .cu files.
//
// A block computes a tile of the result, a thread 4 x 4 of its elements, over k in steps of 16: the elements
// of a step go through shared memory while those of the next one are on their way.
//
// An operand is a struct with
//   static constexpr bool along_k;        whether its neighbours in memory are neighbours in k
//   Line line(std::int64_t i)             row i of a, or column i of b: what is the same for all k
//   Cursor cursor(std::int64_t k), void advance(Cursor&, int n)   what is the same for all lines, and n
//   further float at(const Line&, const Cursor&)
// all of them __device__ functions.
#pragma once

#include "kernels/cuda/map.h"

namespace actlab::cuda {

/// Sizes of a product. The sum over k is cut into parts: y (parts, m, n) are their sums.
struct ProductSizes {
  std::int64_t m, n, k;
  std::int64_t parts, part_length;
};

namespace {

constexpr int product_depth = 16;
using Four = Pack<float, 4>;

/// Elements of a step, k by k, in shared memory; a Four more than they need keeps k apart in the banks.
template <int lines>
using ProductTile = Four[product_depth][lines / 4 + 1];

/// What a thread reads of one operand of a tile.
template <class Operand, int lines>
class Loader {
 public:
  /// The tile's lines are those from `first` on; lines beyond `count` read the last: nobody stores their
  /// results.
  __device__ Loader(const Operand& operand, std::int64_t first, std::int64_t count, std::int64_t begin,
                    std::int64_t end)
      : operand_(operand), k_(begin + k_in_step()), end_(end), cursor_(operand.cursor(k_)) {
#pragma unroll
    for (int i = 0; i < held; ++i) {
      const std::int64_t wanted = first + line_in_tile() + i * lines_apart;
      lines_[i] = operand.line(wanted < count ? wanted : count - 1);
    }
  }

  /// Reads the elements of this step, zeros beyond the end, and goes on to the next.
  __device__ void fetch() {
#pragma unroll
    for (int i = 0; i < reads; ++i) {
      values_[i] = k_ < end_ ? operand_.at(lines_[along_k ? i : 0], cursor_) : 0.0f;
      if (!along_k) advance(k_apart);
    }
    if (along_k) advance(product_depth);
  }

  __device__ void store(ProductTile<lines>& tile) const {
#pragma unroll
    for (int i = 0; i < reads; ++i) {
      const int k = k_in_step() + (along_k ? 0 : i * k_apart),
                line = line_in_tile() + (along_k ? i * lines_apart : 0);
      tile[k][line / 4].values[line % 4] = values_[i];
    }
  }

 private:
  static constexpr bool along_k = Operand::along_k;
  static constexpr int reads = lines * product_depth / block_threads;
  static constexpr int held = along_k ? reads : 1;
  static constexpr int lines_apart = block_threads / product_depth;
  static constexpr int k_apart = block_threads / lines;

  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ static int k_in_step() { return along_k ? thread() % product_depth : thread() / lines; }
  __device__ static int line_in_tile() { return along_k ? thread() / product_depth : thread() % lines; }
  __device__ void advance(int n) {
    k_ += n;
    operand_.advance(cursor_, n);
  }

  const Operand& operand_;
  std::int64_t k_, end_;
  decltype(operand_.cursor(0)) cursor_;
  decltype(operand_.line(0)) lines_[held];
  float values_[reads];
};

/// Where a product goes: rows of y, each with the bias added (columns; may be null), rounded once.
template <class T>
struct ProductResult {
  ProductResult(T* to, const float* row, std::int64_t columns)
      : y(to), bias(row), packs(columns % 4 == 0 && packs_of<4>(to)) {}

  /// Four neighbours of row `row` from column `column` on, where they lie inside; n the number of columns.
  __device__ void store(std::int64_t row, std::int64_t column, std::int64_t n, const float (&sums)[4]) const {
    T* const to = y + row * n + column;
    Pack<T, 4> rounded;
#pragma unroll
    for (int j = 0; j < 4; ++j)
      rounded.values[j] =
          math::from_float<T>(bias != nullptr && column + j < n ? sums[j] + bias[column + j] : sums[j]);
    if (packs && column < n) return write_pack<4>(to, rounded);
#pragma unroll
    for (int j = 0; j < 4; ++j)
      if (column + j < n) to[j] = rounded.values[j];
  }

  T* y;
  const float* bias;
  bool packs;  ///< four at once
};

template <int rows, int columns, class A, class B, class T>
__global__ void __launch_bounds__(block_threads)
    product_kernel(ProductSizes sizes, A a, B b, ProductResult<T> y) {
  static_assert(rows * columns == 16 * block_threads);
  ACTLAB_SHARED(ProductTile<rows>, a_tile, [1]);
  ACTLAB_SHARED(ProductTile<columns>, b_tile, [1]);
  const int row = static_cast<int>(threadIdx.x) / (columns / 4),
            column = static_cast<int>(threadIdx.x) % (columns / 4);
  const std::int64_t down = (sizes.m + rows - 1) / rows, across = (sizes.n + columns - 1) / columns;
  for (std::int64_t tile = blockIdx.x; tile < down * across * sizes.parts; tile += gridDim.x) {
    const std::int64_t top = tile / across % down * rows, left = tile % across * columns;
    const std::int64_t part = tile / across / down, begin = part * sizes.part_length;
    const std::int64_t end = begin + sizes.part_length < sizes.k ? begin + sizes.part_length : sizes.k;
    Loader<A, rows> a_loader(a, top, sizes.m, begin, end);
    Loader<B, columns> b_loader(b, left, sizes.n, begin, end);
    float sums[4][4] = {};
    a_loader.fetch();
    b_loader.fetch();
    for (std::int64_t k = begin; k < end; k += product_depth) {
      a_loader.store(a_tile[0]);
      b_loader.store(b_tile[0]);
      __syncthreads();
      a_loader.fetch();
      b_loader.fetch();
#pragma unroll
      for (int d = 0; d < product_depth; ++d) {
        const Four of_a = a_tile[0][d][row], of_b = b_tile[0][d][column];
#pragma unroll
        for (int i = 0; i < 4; ++i)
#pragma unroll
          for (int j = 0; j < 4; ++j) sums[i][j] = math::madd(of_a.values[i], of_b.values[j], sums[i][j]);
      }
      __syncthreads();  // before the next step's elements overwrite these
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (const std::int64_t at = top + row * 4 + i; at < sizes.m)
        y.store(part * sizes.m + at, left + column * 4, sizes.n, sums[i]);
  }
}

/// Starts the kernel, with tiles that suit narrow results.
template <class A, class B, class T>
void product(std::string_view operation, const ProductSizes& sizes, const A& a, const B& b,
             const ProductResult<T>& y) {
  const auto with_tiles_of = [&]<int rows, int columns>(std::integer_sequence<int, rows, columns>) {
    const std::int64_t down = (sizes.m + rows - 1) / rows, across = (sizes.n + columns - 1) / columns;
    launch(operation, product_kernel<rows, columns, A, B, T>, block_for_each(down * across * sizes.parts),
           sizes, a, b, y);
  };
  if (sizes.n <= 32) return with_tiles_of(std::integer_sequence<int, 128, 32>{});
  with_tiles_of(std::integer_sequence<int, 64, 64>{});
}

}  // namespace
}  // namespace actlab::cuda
