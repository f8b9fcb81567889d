// Kernels with one fault each, which the tests of the emulation must see, and correct ones at which it must
// be silent. x and y are arrays of the device.
#pragma once

#include <cstdint>

namespace actlab::test {

// y[i] = x[(i + 37) % 256] of each block, through shared memory; 1,024 elements.
void read_neighbours_without_barrier(const float* x, float* y);
void read_neighbours(const float* x, float* y);

// y[r] = sum of row r of x (rows, 128). The broken one does not wait before it reuses shared memory.
void sum_rows_without_second_barrier(const float* x, float* y, std::int64_t rows);
void sum_rows(const float* x, float* y, std::int64_t rows);

// 64 threads, y = x, but not all threads meet.
void barrier_for_some(const float* x, float* y);
void two_barriers(const float* x, float* y);
void return_before_barrier(const float* x, float* y);
void shuffle_by_some(const float* x, float* y);
// The second warp of 48 threads has 16 lanes.
void shuffle_from_absent_lane(const float* x, float* y);

// y (64) = 1, but for y[0], which comes from shared memory that nothing wrote; two blocks, the first of which
// writes it.
void read_uninitialised_shared(float* y);
void use_too_much_shared(float* y);
void overrun_shared(const float* x, float* y);
// y = x (n), and one element more.
void overrun_global(const float* x, float* y, std::int64_t n);
// Reads four floats at once, at x + 1.
void read_misaligned(const float* x, float* y);
// y (64) = x, where x is handed over in a struct.
void read_through_struct(const float* x, float* y);
// y[0] += x[i] by all threads at once.
void add_without_atomics(const float* x, float* y);

// y = a * b + c, once as kernels/math fuses it and once rounded twice.
void multiply_add(float a, float b, float c, float* fused, float* rounded_twice);

// What each of 32 lanes gets from every warp function, in this order: shuffle from lane 3, from lane ^ 1, 2
// down, 2 up, 1 down in groups of 8, ballot of odd lanes, any and all of lane < 8.
inline constexpr int warp_functions = 8;
void call_warp_functions(std::uint32_t* y);
// y[0] = blocks of 64 threads that ran, y[1] = largest number of a thread, y[2] = threads counted by
// barriers.
void count_by_atomics(std::int32_t* y, unsigned blocks);
// Starts a kernel with that many threads.
void start_threads(float* y, unsigned threads);

}  // namespace actlab::test
