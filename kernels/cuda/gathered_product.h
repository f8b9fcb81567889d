// A matrix product y (m, n) = a (m, k) * b (k, n) whose operands are read by functors from wherever their
// elements lie, in f32. For .cu files.
//
// A block computes a tile of the result, a thread 4 columns of 4 or 8 rows, over k in steps of 16: the
// elements of a step go through shared memory while those of the next one are on their way.
//
// An operand is a struct with
//   using Element                         float, or a half
//   static constexpr bool along_k;        whether its neighbours in memory are neighbours in k
//   static constexpr int pack;            1, or 4 neighbours that lie together: their lines, or k, begin at
//                                         multiples of 4 and end there
//   Line line(std::int64_t i)             row i of a, or column i of b: what is the same for all k
//   Cursor cursor(std::int64_t k), void advance(Cursor&, int n)   what is the same for all lines, and n
//   further const Element* at(const Line&, const Cursor&, const Element* zeros)   where the elements lie, or
//                                         `zeros` where they are 0
// and all functions are __device__ functions.
#pragma once

#include <bit>
#include <type_traits>
#include <utility>

#include "kernels/cuda/map.h"

namespace actlab::cuda {

/// Sizes of a product. The sum over k is cut into parts: y (parts, m, n) are their sums.
struct ProductSizes {
  std::int64_t m, n, k;
  std::int64_t parts;
  int part_length;
};

namespace {

constexpr int product_depth = 16;
using Four = Pack<float, 4>;

/// Elements of a step, k by k, in shared memory; a Four more than they need keeps k apart in the banks.
template <int lines>
using ProductTile = Four[product_depth][lines / 4 + 1];

/// What is read where elements are 0: all loads are alike.
__device__ const Four zeros{};

/// What a thread reads of one operand of a tile.
template <class Operand, int lines>
class Loader {
 public:
  /// The tile's lines are those from `first` on; lines beyond `count` read the last: nobody stores their
  /// results.
  __device__ Loader(const Operand& operand, std::int64_t first, std::int64_t count, std::int64_t begin,
                    int length)
      : operand_(operand), left_(length - k_in_step()), cursor_(operand.cursor(begin + k_in_step())) {
    const std::int64_t last = count - (along_k ? 1 : pack);
#pragma unroll
    for (int i = 0; i < held; ++i) {
      const std::int64_t wanted = first + line_in_tile() + i * lines_apart;
      lines_[i] = operand.line(wanted < last ? wanted : last);
    }
  }

  /// Reads the elements of this step, zeros beyond the end, and goes on to the next.
  __device__ void fetch() {
    if (idle()) return;
#pragma unroll
    for (int i = 0; i < reads; ++i) {
      const auto* const nothing = reinterpret_cast<const Element*>(&zeros);
      const Line& line = lines_[along_k ? i : 0];
      packs_[i] = *reinterpret_cast<const Bits*>(left_ > 0 ? operand_.at(line, cursor_, nothing) : nothing);
      if (!along_k) advance(k_apart);
    }
    if (along_k) advance(product_depth);
  }

  __device__ void store(ProductTile<lines>& tile) const {
    if (idle()) return;
#pragma unroll
    for (int i = 0; i < reads; ++i) {
      const int k = k_in_step() + (along_k ? 0 : i * k_apart),
                line = line_in_tile() + (along_k ? i * lines_apart : 0);
      const auto elements = std::bit_cast<Elements>(packs_[i]);
      Pack<float, pack> floats;
#pragma unroll
      for (int j = 0; j < pack; ++j) floats.values[j] = math::to_float(elements.values[j]);
      if constexpr (pack == 4 && !along_k) {
        tile[k][line / 4] = floats;
      } else {
#pragma unroll
        for (int j = 0; j < pack; ++j) tile[k + j][line / 4].values[line % 4] = floats.values[j];
      }
    }
  }

 private:
  static constexpr bool along_k = Operand::along_k;
  static constexpr int pack = Operand::pack;
  static constexpr int pieces = lines * product_depth / pack;
  static constexpr int reads = (pieces + block_threads - 1) / block_threads;
  static constexpr int held = along_k ? reads : 1;
  static constexpr int in_k = product_depth / pack, in_lines = lines / pack;  // pieces side by side
  static constexpr int lines_apart = block_threads / in_k;
  static constexpr int k_apart = std::min(block_threads / in_lines, product_depth);

  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ static bool idle() { return pieces < block_threads && thread() >= pieces; }
  __device__ static int k_in_step() { return along_k ? thread() % in_k * pack : thread() / in_lines; }
  __device__ static int line_in_tile() { return along_k ? thread() / in_k : thread() % in_lines * pack; }
  __device__ void advance(int n) {
    left_ -= n;
    operand_.advance(cursor_, n);
  }

  using Cursor = decltype(std::declval<Operand>().cursor(0));
  using Line = decltype(std::declval<Operand>().line(0));
  using Element = typename Operand::Element;
  using Elements = Pack<Element, pack>;
  // Four halves are one number until they are stored: to take them apart is to wait for them.
  using Bits = std::conditional_t<sizeof(Elements) == 8, std::uint64_t, Elements>;

  const Operand& operand_;
  int left_;  // of k, from the cursor to the end
  Cursor cursor_;
  Line lines_[held];
  Bits packs_[reads] = {};  // on their way until they are stored
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
  constexpr int fours = rows * columns / (16 * block_threads);  // of a thread's rows
  constexpr int rows_apart = rows / fours;                      // from one four to the next
  ACTLAB_SHARED(ProductTile<rows>, a_tile, [1]);
  ACTLAB_SHARED(ProductTile<columns>, b_tile, [1]);
  const int row = static_cast<int>(threadIdx.x) / (columns / 4),
            column = static_cast<int>(threadIdx.x) % (columns / 4);
  const std::int64_t down = (sizes.m + rows - 1) / rows, across = (sizes.n + columns - 1) / columns;
  for (std::int64_t tile = blockIdx.x; tile < down * across * sizes.parts; tile += gridDim.x) {
    const std::int64_t top = tile / across % down * rows, left = tile % across * columns;
    const std::int64_t part = tile / across / down, begin = part * sizes.part_length;
    const auto length = static_cast<int>(std::min<std::int64_t>(sizes.part_length, sizes.k - begin));
    Loader<A, rows> a_loader(a, top, sizes.m, begin, length);
    Loader<B, columns> b_loader(b, left, sizes.n, begin, length);
    float sums[fours][4][4] = {};
    a_loader.fetch();
    b_loader.fetch();
    for (int rest = length; rest > 0; rest -= product_depth) {
      a_loader.store(a_tile[0]);
      b_loader.store(b_tile[0]);
      __syncthreads();
      a_loader.fetch();
      b_loader.fetch();
#pragma unroll
      for (int d = 0; d < product_depth; ++d) {
        const Four of_b = b_tile[0][d][column];
#pragma unroll
        for (int four = 0; four < fours; ++four) {
          const Four of_a = a_tile[0][d][row + four * rows_apart / 4];
#pragma unroll
          for (int i = 0; i < 4; ++i)
#pragma unroll
            for (int j = 0; j < 4; ++j)
              sums[four][i][j] = math::madd(of_a.values[i], of_b.values[j], sums[four][i][j]);
        }
      }
      __syncthreads();  // before the next step's elements overwrite these
    }
#pragma unroll
    for (int four = 0; four < fours; ++four)
#pragma unroll
      for (int i = 0; i < 4; ++i)
        if (const std::int64_t at = top + four * rows_apart + row * 4 + i; at < sizes.m)
          y.store(part * sizes.m + at, left + column * 4, sizes.n, sums[four][i]);
  }
}

/// Starts the kernel, with tiles of `rows` rows, or such as suit narrow results.
template <int rows, class A, class B, class T>
void product(std::string_view operation, const ProductSizes& sizes, const A& a, const B& b,
             const ProductResult<T>& y) {
  const auto with_tiles_of = [&]<int r, int c>(std::integer_sequence<int, r, c>) {
    const std::int64_t down = (sizes.m + r - 1) / r, across = (sizes.n + c - 1) / c;
    launch(operation, product_kernel<r, c, A, B, T>, block_for_each(down * across * sizes.parts), sizes, a, b,
           y);
  };
  if (sizes.n <= 32) return with_tiles_of(std::integer_sequence<int, 128, 32>{});
  with_tiles_of(std::integer_sequence<int, rows, 64>{});
}

}  // namespace
}  // namespace actlab::cuda
