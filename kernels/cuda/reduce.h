// Reductions over teams: the threads that work on one row. The order is fixed by the size of the row alone,
// and every thread of the team gets the result. For .cu files.
#pragma once

#include <limits>

#include "kernels/cuda/launch.h"
#include "kernels/math/order.h"

namespace actlab::cuda {

inline constexpr int warp_threads = 32;

/// A grid with a team for each of `rows` rows of `columns` elements. A team is the threads of one
/// threadIdx.y: a warp, or where rows are long the whole block.
inline Grid teams_for(std::int64_t rows, std::int64_t columns) {
  constexpr std::int64_t longest_of_a_warp = 1024;
  const int team = columns <= longest_of_a_warp ? warp_threads : block_threads;
  const int teams = block_threads / team;
  return {block_for_each((rows + teams - 1) / teams).blocks,
          dim3(static_cast<unsigned>(team), static_cast<unsigned>(teams))};
}

namespace {

/// Calls f(row) for the rows in [0, rows) of this team.
template <class F>
__device__ void for_each_row(std::int64_t rows, const F& f) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.y + threadIdx.y;
  for (std::int64_t row = first; row < rows; row += static_cast<std::int64_t>(gridDim.x) * blockDim.y) f(row);
}

/// Calls f(i) for the places in [0, n) of this thread of the team: the same ones in every loop over n. The
/// loads of `at_once` places may be on their way together.
template <int at_once = 1, class F>
__device__ void for_each_place(std::int64_t n, const F& f) {
#pragma unroll at_once
  for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) f(i);
}

/// The values of all threads of the team, joined; `join` is commutative, so that all get the same bits.
/// Called by the whole team, which is a warp or the block.
template <class T, class F>
__device__ T team_reduce(T value, const F& join) {
  for (int apart = warp_threads / 2; apart > 0; apart /= 2)
    value = join(value, __shfl_xor_sync(0xffffffffu, value, apart));
  if (blockDim.x == warp_threads) return value;
  ACTLAB_SHARED(T, of_warps, [32]);
  __syncthreads();  // what the last call left there has been read
  if (threadIdx.x % warp_threads == 0) of_warps[threadIdx.x / warp_threads] = value;
  __syncthreads();
  value = of_warps[0];
  for (unsigned warp = 1; warp < blockDim.x / warp_threads; ++warp) value = join(value, of_warps[warp]);
  return value;
}

template <class T>
__device__ T team_sum(T value) {
  return team_reduce(value, [](T a, T b) { return a + b; });
}
/// Of integers: these know no NaN.
template <class T>
__device__ T team_max(T value) {
  return team_reduce(value, [](T a, T b) { return a > b ? a : b; });
}
template <class T>
__device__ T team_min(T value) {
  return team_reduce(value, [](T a, T b) { return a < b ? a : b; });
}

/// Sum of f(i) over [0, n) in double.
template <int at_once = 1, class F>
__device__ double team_sum_of(std::int64_t n, const F& f) {
  double sum = 0;
  for_each_place<at_once>(n, [&](std::int64_t i) { sum += f(i); });
  return team_sum(sum);
}

/// The largest of n >= 1 floats. Where there is a NaN it is NaN, or else x - largest is NaN for that x.
__device__ inline float team_largest(std::int64_t n, const float* x) {
  std::int32_t last = std::numeric_limits<std::int32_t>::min();
  for_each_place(n, [&](std::int64_t i) {
    const std::int32_t place = math::in_order(math::to_bits(x[i]));
    last = place > last ? place : last;
  });
  return math::from_bits(math::in_order(team_max(last)));
}

}  // namespace
}  // namespace actlab::cuda
