// Rows by number on CUDA devices. A row that several indices name is summed in their order, in double, and
// rounded once: the places of the indices are sorted by value first, by merging.
#include "kernels/cuda/families.h"
#include "kernels/cuda/indices.h"
#include "kernels/cuda/map.h"
#include "kernels/cuda/places.h"
#include "kernels/cuda/types.h"

namespace actlab {
namespace cuda {
namespace {

// y (n) = rows of x, each of `units` units.
template <class Unit>
__global__ void __launch_bounds__(block_threads)
    gather_rows_kernel(std::int64_t n, std::int64_t units, Divisor row_of, const Unit* __restrict__ x,
                       const std::int32_t* __restrict__ index, Unit* __restrict__ y) {
  for (std::int64_t i = first_piece(); i < n * units; i += piece_step()) {
    const auto [row, unit] = row_of.divide(i);
    y[i] = x[index[row] * units + unit];
  }
}

// Indices that a block sorts, one a thread.
constexpr int run_length = 1024;

// Number of keys in [begin, end), ascending, that are less than `key`.
__device__ std::int64_t keys_below(const std::int64_t* keys, std::int64_t begin, std::int64_t end,
                                   std::int64_t key) {
  const std::int64_t first = begin;
  while (begin < end) {
    const std::int64_t middle = begin + (end - begin) / 2;
    if (keys[middle] < key)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin - first;
}

// Sorted runs of keys: index[i] * n + i, all different, ordered by index, then by place.
__global__ void __launch_bounds__(run_length)
    sorted_runs_kernel(std::int64_t n, const std::int32_t* index, std::int64_t* keys) {
  ACTLAB_SHARED(std::int64_t, run, [run_length]);
  const int t = static_cast<int>(threadIdx.x);
  for (std::int64_t first = std::int64_t{blockIdx.x} * run_length; first < n;
       first += std::int64_t{gridDim.x} * run_length) {
    const int count = static_cast<int>(std::min<std::int64_t>(run_length, n - first));
    if (t < count) run[t] = index[first + t] * n + first + t;
    __syncthreads();
    if (t < count) {
      int below = 0;
      for (int i = 0; i < count; ++i) below += run[i] < run[t];
      keys[first + below] = run[t];
    }
    __syncthreads();  // the next run overwrites this one
  }
}

// Neighbouring runs become one: a key moves by the keys of the other run that are less.
__global__ void __launch_bounds__(block_threads)
    merge_runs_kernel(std::int64_t n, std::int64_t length, const std::int64_t* keys, std::int64_t* merged) {
  for (std::int64_t i = first_piece(); i < n; i += piece_step()) {
    const std::int64_t begin = i / (2 * length) * (2 * length);
    const std::int64_t middle = std::min(begin + length, n), end = std::min(middle + length, n);
    const std::int64_t to = i < middle ? i + keys_below(keys, middle, end, keys[i])
                                       : i - length + keys_below(keys, begin, middle, keys[i]);
    merged[to] = keys[i];
  }
}

// Columns that a block sums side by side.
constexpr int strip = 128;

// A task is a strip of the row that a key names; the first of equal rows does it.
__global__ void __launch_bounds__(strip)
    sum_rows_kernel(std::int64_t n, std::int64_t columns, const std::int64_t* keys, const float* dy,
                    float* dx) {
  const std::int64_t strips = (columns + strip - 1) / strip;
  for (std::int64_t task = blockIdx.x; task < n * strips; task += gridDim.x) {
    const std::int64_t first = task / strips, row = keys[first] / n;
    const std::int64_t column = task % strips * strip + threadIdx.x;
    if (column >= columns || (first > 0 && keys[first - 1] / n == row)) continue;
    const std::int64_t end = first + keys_below(keys, first, n, (row + 1) * n);
    double sum = 0;
#pragma unroll 8
    for (std::int64_t k = first; k < end; ++k) sum += double{dy[(keys[k] - row * n) * columns + column]};
    dx[row * columns + column] = static_cast<float>(sum);
  }
}

// x where its row is within the length of its sequence, else 0.
struct ClearPadding {
  const std::int32_t* lengths;
  Divisor length, columns;
  ACTLAB_HD float operator()(std::int64_t i, float x) const {
    const auto [sequence, row] = length.divide(columns.whole(i));
    return row < lengths[sequence] ? x : 0.0f;
  }
};

class CudaRows final : public RowKernels {
 public:
  explicit CudaRows(Memory& memory) : memory_(memory) {}

  void gather(ConstArray x, ConstArray index, Array y) override {
    const SafeIndices rows = safe_indices(memory_, "gather rows", "index", index, 0, x.shape[0] - 1);
    const std::uint64_t bytes = static_cast<std::uint64_t>(x.shape[1]) * size_of(x.dtype);
    // Every row begins at a multiple of the unit.
    const auto alignment =
        bytes | reinterpret_cast<std::uintptr_t>(x.data) | reinterpret_cast<std::uintptr_t>(y.data);
    for_unit(alignment, [&]<class Unit>(Unit) {
      const std::int64_t n = y.shape[0], units = static_cast<std::int64_t>(bytes / sizeof(Unit));
      launch("gather rows", gather_rows_kernel<Unit>, grid_for(n * units), n, units, Divisor(units),
             static_cast<const Unit*>(x.data), rows.values(), static_cast<Unit*>(y.data));
    });
  }

  void scatter_add(ConstArray dy, ConstArray index, Array dx) override {
    const std::int64_t columns = dx.shape[1], n = dy.shape[0];
    const float* const gradient = f32("scatter rows", dy);
    float* const out = f32("scatter rows", dx);
    const SafeIndices rows = safe_indices(memory_, "scatter rows", "index", index, 0, dx.shape[0] - 1);
    memory_.zero(out, dx.count() * std::int64_t{sizeof(float)});
    const Buffer scratch(memory_, 2 * n * std::int64_t{sizeof(std::int64_t)}, MemoryKind::workspace);
    auto* keys = static_cast<std::int64_t*>(scratch.data());
    auto* merged = keys + n;
    launch("scatter rows", sorted_runs_kernel, block_for_each((n + run_length - 1) / run_length, run_length),
           n, rows.values(), keys);
    for (std::int64_t length = run_length; length < n; length *= 2) {
      launch("scatter rows", merge_runs_kernel, grid_for(n), n, length, keys, merged);
      std::swap(keys, merged);
    }
    launch("scatter rows", sum_rows_kernel, block_for_each(n * ((columns + strip - 1) / strip), strip), n,
           columns, keys, gradient, out);
  }

  void clear_padding(ConstArray x, ConstArray lengths, Array y) override {
    const std::int64_t length = x.shape[1], columns = x.shape[2];
    const SafeIndices kept = safe_indices(memory_, "clear padding", "length", lengths, 0, length);
    map("clear padding", x.count(), ClearPadding{kept.values(), Divisor(length), Divisor(columns)},
        f32("clear padding", y), f32("clear padding", x));
  }

 private:
  Memory& memory_;
};

}  // namespace
}  // namespace cuda

std::unique_ptr<RowKernels> make_cuda_rows(Memory& memory) {
  return std::make_unique<cuda::CudaRows>(memory);
}

}  // namespace actlab
