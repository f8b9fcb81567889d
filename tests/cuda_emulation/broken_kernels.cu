// The kernels of broken_kernels.h.
#include "tests/cuda_emulation/broken_kernels.h"

#include "kernels/cuda/launch.h"
#include "kernels/math/basic.h"

namespace actlab::test {
namespace {

constexpr unsigned all_lanes = 0xffffffffu;

template <bool waits>
__global__ void read_neighbours_kernel(const float* x, float* y) {
  ACTLAB_SHARED(float, shared, [256]);
  shared[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  if (waits) __syncthreads();
  y[blockIdx.x * 256 + threadIdx.x] = shared[(threadIdx.x + 37) % 256];
}

template <bool waits>
__global__ void sum_rows_kernel(const float* x, float* y, std::int64_t rows) {
  ACTLAB_SHARED(float, sums, [4]);
  for (std::int64_t r = 0; r < rows; ++r) {
    float sum = x[r * 128 + threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(all_lanes, sum, distance);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) y[r] = sums[0] + sums[1] + sums[2] + sums[3];
    if (waits) __syncthreads();
  }
}

__global__ void barrier_for_some_kernel(const float* x, float* y) {
  if (threadIdx.x < 40) __syncthreads();
  y[threadIdx.x] = x[threadIdx.x];
}

__global__ void two_barriers_kernel(const float* x, float* y) {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
  y[threadIdx.x] = x[threadIdx.x];
}

__global__ void return_before_barrier_kernel(const float* x, float* y) {
  if (threadIdx.x >= 50) return;
  __syncthreads();
  y[threadIdx.x] = x[threadIdx.x];
}

__global__ void shuffle_by_some_kernel(const float* x, float* y) {
  float value = x[threadIdx.x];
  if (threadIdx.x < 7) value = __shfl_down_sync(all_lanes, value, 1);
  __syncthreads();
  y[threadIdx.x] = value;
}

__global__ void shuffle_from_absent_lane_kernel(const float* x, float* y) {
  y[threadIdx.x] = __shfl_down_sync(all_lanes, x[threadIdx.x], 16);
}

__global__ void read_uninitialised_shared_kernel(float* y) {
  ACTLAB_SHARED(float, shared, [64]);
  if (threadIdx.x > 0 || blockIdx.x == 0) shared[threadIdx.x] = 1;
  __syncthreads();
  if (blockIdx.x == 1) y[threadIdx.x] = shared[threadIdx.x];
}

__global__ void use_too_much_shared_kernel(float* y) {
  ACTLAB_SHARED(float, first, [8 * 1024]);
  ACTLAB_SHARED(float, second, [5 * 1024]);
  first[threadIdx.x] = second[threadIdx.x] = 0;
  y[threadIdx.x] = first[threadIdx.x];
}

__global__ void overrun_shared_kernel(const float* x, float* y) {
  ACTLAB_SHARED(float, shared, [64]);
  float* const from_second = shared + 1;
  from_second[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = shared[threadIdx.x];
}

__global__ void overrun_global_kernel(const float* x, float* y, std::int64_t n) {
  for (std::int64_t i = cuda::first_piece(); i <= n; i += cuda::piece_step()) y[i] = x[i < n ? i : 0];
}

__global__ void read_misaligned_kernel(const float* x, float* y) {
  y[0] = reinterpret_cast<const float4*>(x + 1)->w;
}

struct Operands {
  bool negative;
  const float* x;
};

__global__ void read_through_struct_kernel(Operands from, float* y) {
  y[threadIdx.x] = from.negative ? -from.x[threadIdx.x] : from.x[threadIdx.x];
}

__global__ void add_without_atomics_kernel(const float* x, float* y) { y[0] += x[threadIdx.x]; }

__global__ void multiply_add_kernel(float a, float b, float c, float* fused, float* rounded_twice) {
  *fused = math::madd(a, b, c);
  *rounded_twice = a * b + c;
}

__global__ void call_warp_functions_kernel(std::uint32_t* y) {
  const unsigned lane = threadIdx.x;
  std::uint32_t* const row = y + lane * warp_functions;
  row[0] = __shfl_sync(all_lanes, lane, 3);
  row[1] = __shfl_xor_sync(all_lanes, lane, 1);
  row[2] = __shfl_down_sync(all_lanes, lane, 2);
  row[3] = __shfl_up_sync(all_lanes, lane, 2);
  row[4] = __shfl_down_sync(all_lanes, lane, 1, 8);
  row[5] = __ballot_sync(all_lanes, lane % 2);
  row[6] = static_cast<std::uint32_t>(__any_sync(all_lanes, lane < 8));
  row[7] = static_cast<std::uint32_t>(__all_sync(all_lanes, lane < 8));
}

__global__ void count_by_atomics_kernel(std::int32_t* y) {
  ACTLAB_SHARED(std::int32_t, arrived, [1]);
  if (threadIdx.x == 0) arrived[0] = 0;
  __syncthreads();
  if (atomicAdd(arrived, 1) == 63) atomicAdd(y, 1);
  atomicMax(y + 1, static_cast<std::int32_t>(cuda::first_piece()));
  const int odd = __syncthreads_count(threadIdx.x % 2), all = __syncthreads_and(1), any = __syncthreads_or(0);
  if (threadIdx.x == 0) atomicAdd(y + 2, odd + all + any);
}

__global__ void start_threads_kernel(float* y) { y[threadIdx.x] = 1; }

template <class... P, class... A>
void run(void (*kernel)(P...), unsigned blocks, unsigned threads, A... arguments) {
  cuda::launch("test", kernel, {dim3(blocks), dim3(threads)}, arguments...);
}

}  // namespace

void read_neighbours_without_barrier(const float* x, float* y) {
  run(read_neighbours_kernel<false>, 4, 256, x, y);
}
void read_neighbours(const float* x, float* y) { run(read_neighbours_kernel<true>, 4, 256, x, y); }
void sum_rows_without_second_barrier(const float* x, float* y, std::int64_t rows) {
  run(sum_rows_kernel<false>, 1, 128, x, y, rows);
}
void sum_rows(const float* x, float* y, std::int64_t rows) { run(sum_rows_kernel<true>, 1, 128, x, y, rows); }
void barrier_for_some(const float* x, float* y) { run(barrier_for_some_kernel, 1, 64, x, y); }
void two_barriers(const float* x, float* y) { run(two_barriers_kernel, 1, 64, x, y); }
void return_before_barrier(const float* x, float* y) { run(return_before_barrier_kernel, 1, 64, x, y); }
void shuffle_by_some(const float* x, float* y) { run(shuffle_by_some_kernel, 1, 64, x, y); }
void shuffle_from_absent_lane(const float* x, float* y) { run(shuffle_from_absent_lane_kernel, 1, 48, x, y); }
void read_uninitialised_shared(float* y) { run(read_uninitialised_shared_kernel, 2, 64, y); }
void use_too_much_shared(float* y) { run(use_too_much_shared_kernel, 1, 64, y); }
void overrun_shared(const float* x, float* y) { run(overrun_shared_kernel, 1, 64, x, y); }
void overrun_global(const float* x, float* y, std::int64_t n) { run(overrun_global_kernel, 2, 64, x, y, n); }
void read_misaligned(const float* x, float* y) { run(read_misaligned_kernel, 1, 1, x, y); }
void read_through_struct(const float* x, float* y) {
  run(read_through_struct_kernel, 1, 64, Operands{.negative = false, .x = x}, y);
}
void add_without_atomics(const float* x, float* y) { run(add_without_atomics_kernel, 1, 64, x, y); }
void multiply_add(float a, float b, float c, float* fused, float* rounded_twice) {
  run(multiply_add_kernel, 1, 1, a, b, c, fused, rounded_twice);
}
void call_warp_functions(std::uint32_t* y) { run(call_warp_functions_kernel, 1, 32, y); }
void count_by_atomics(std::int32_t* y, unsigned blocks) { run(count_by_atomics_kernel, blocks, 64, y); }
void start_threads(float* y, unsigned threads) { run(start_threads_kernel, 1, threads, y); }

}  // namespace actlab::test
