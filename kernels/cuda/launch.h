// Starting kernels, and the shared memory of a block. For .cu files: nvcc compiles them for GPUs, and the
// tests compile them as C++ against the emulation, which brings its own `start` and shared memory.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/runtime.h"

#ifndef CUDA_EMULATION
/// T name[...]; in the shared memory of the block.
#define ACTLAB_SHARED(T, name, ...) __shared__ T name __VA_ARGS__

namespace actlab::cuda {
template <class... P>
cudaError_t start(void (*kernel)(P...), dim3 blocks, dim3 threads, cudaStream_t on, P... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.stream = on;
  return cudaLaunchKernelEx(&config, kernel, arguments...);
}
}  // namespace actlab::cuda
#endif

namespace actlab::cuda {

/// Blocks of a launch and threads of a block.
struct Grid {
  dim3 blocks;
  dim3 threads;
};

/// Threads of a block where nothing asks for another number.
inline constexpr int block_threads = 256;

/// A grid for `pieces` pieces of work, one a thread and step: at most 64 blocks a multiprocessor, whose
/// threads go round. 4 to 8 run at once, by their registers, so that the last wave, which may be nearly
/// empty, is one of many.
inline Grid grid_for(std::int64_t pieces) {
  const std::int64_t wanted = (pieces + block_threads - 1) / block_threads;
  const std::int64_t most = std::int64_t{64} * device().multiprocessors;
  return {dim3(static_cast<unsigned>(std::min(wanted, most))), dim3(block_threads)};
}
/// A block for each of `blocks` pieces of work; the kernel goes round beyond 2^20 of them.
inline Grid block_for_each(std::int64_t blocks, int threads = block_threads) {
  return {dim3(static_cast<unsigned>(std::min<std::int64_t>(blocks, 1 << 20))),
          dim3(static_cast<unsigned>(threads))};
}

template <class T>
struct Exactly {
  using Type = T;
};

/// Starts a kernel on the stream; a grid without blocks is no work. Throws Error under the operation's name.
template <class... P>
void launch(std::string_view operation, void (*kernel)(P...), const Grid& grid,
            typename Exactly<P>::Type... arguments) {
  if (grid.blocks.x == 0) return;
  check_launch(start(kernel, grid.blocks, grid.threads, stream(), arguments...), operation);
}

/// Number of this thread in the grid, and of threads in the grid: a kernel goes from the first in steps of
/// the second.
__device__ inline std::int64_t first_piece() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t piece_step() { return static_cast<std::int64_t>(gridDim.x) * blockDim.x; }

}  // namespace actlab::cuda
