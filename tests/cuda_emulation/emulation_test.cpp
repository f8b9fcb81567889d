// The emulation of CUDA: that it computes what a device computes, and that each fault of broken_kernels.h is
// seen.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/cuda/runtime.h"
#include "kernels/error.h"
#include "tests/cuda_emulation/broken_kernels.h"
#include "tests/cuda_emulation/emulator.h"
#include "tests/cuda_emulation/managed.h"
#include "tests/cuda_emulation/sanitizers.h"

#ifdef __SANITIZE_THREAD__
// A death test's child ends at the first race.
extern "C" const char* __tsan_default_options();
extern "C" const char* __tsan_default_options() { return "halt_on_error=1"; }
#endif

namespace actlab::test {
namespace {

#ifdef __SANITIZE_THREAD__
constexpr bool sees_races = true;
#else
constexpr bool sees_races = false;
#endif

// Under the race detector a thread of the device is a costly one, and few orders show as much.
const std::vector<std::uint64_t> orders =
    sees_races ? std::vector<std::uint64_t>{0, 7} : std::vector<std::uint64_t>{0, 1, 7, 8, 9};

class CudaEmulation : public testing::Test {
 protected:
  CudaEmulation() {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    std::iota(x.begin(), x.end(), 1.0f);
  }
  ~CudaEmulation() override {
    emu::set_schedule(0);
    emu::set_deferred(false);
    emu::set_presence(emu::Presence::present);
    emu::set_capacity(emu::default_capacity);
    emu::set_pools(true);
  }

  template <class F>
  static std::string fault_of(F run) {
    try {
      run();
    } catch (const emu::KernelError& fault) {
      return fault.what();
    }
    return "none";
  }

  Managed<float> x{1024}, y{1024};
};

template <class T>
T* device_array(std::size_t n) {
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, n * sizeof(T)), cudaSuccess);
  return static_cast<T*>(memory);
}

bool has_nan(const Managed<float>& values) {
  return std::any_of(values.begin(), values.end(), [](float v) { return std::isnan(v); });
}

#define EXPECT_FAULT(call, ...)                                                             \
  for (const std::uint64_t order : orders) {                                                \
    emu::set_schedule(order);                                                               \
    const std::string fault = fault_of([&] { call; });                                      \
    for (const char* const part : {__VA_ARGS__, "broken_kernels.cu:", "of block ("})        \
      EXPECT_NE(fault.find(part), std::string::npos) << "order " << order << ": " << fault; \
  }

TEST_F(CudaEmulation, CorrectKernelsAreRightInEveryOrder) {
  for (const std::uint64_t order : orders) {
    emu::set_schedule(order);
    read_neighbours(x.data(), y.data());
    for (std::size_t i = 0; i < 1024; ++i) ASSERT_EQ(y[i], x[i / 256 * 256 + (i + 37) % 256]) << order;
    sum_rows(x.data(), y.data(), 8);
    for (std::size_t r = 0; r < 8; ++r)
      ASSERT_EQ(y[r], 128 * (128.0f * static_cast<float>(r) + 64.5f)) << order;
    Managed<std::int32_t> counts(3);
    std::fill(counts.begin(), counts.end(), 0);
    count_by_atomics(counts.data(), 5);
    EXPECT_EQ(counts[0], 5);
    EXPECT_EQ(counts[1], 5 * 64 - 1);
    EXPECT_EQ(counts[2], 5 * (32 + 1));
  }
}

TEST_F(CudaEmulation, WarpFunctionsAreThoseOfCuda) {
  for (const std::uint64_t order : orders) {
    emu::set_schedule(order);
    Managed<std::uint32_t> got(32 * warp_functions);
    call_warp_functions(got.data());
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t expected[warp_functions] = {3,
                                                      lane ^ 1,
                                                      lane + 2 < 32 ? lane + 2 : lane,
                                                      lane >= 2 ? lane - 2 : lane,
                                                      lane % 8 < 7 ? lane + 1 : lane,
                                                      0xaaaaaaaau,
                                                      1,
                                                      0};
      for (std::size_t f = 0; f < warp_functions; ++f)
        EXPECT_EQ(got[lane * warp_functions + f], expected[f]) << "function " << f << " lane " << lane;
    }
  }
}

// A result that a rounded product does not have: (1 + u)(1 - u) - 1 = -u^2.
TEST_F(CudaEmulation, KernelsAreFusedWhereTheySaySoOnly) {
  constexpr float u = 0x1p-13f;
  multiply_add(1 + u, 1 - u, -1, &y[0], &y[1]);
  EXPECT_EQ(y[0], -u * u);
  EXPECT_EQ(y[1], 0);
}

TEST_F(CudaEmulation, MissingBarrierGivesNan) {
  if (sees_races) {
    EXPECT_DEATH(read_neighbours_without_barrier(x.data(), y.data()), "data race");
    return;
  }
  for (const std::uint64_t order : orders) {
    emu::set_schedule(order);
    read_neighbours_without_barrier(x.data(), y.data());
    EXPECT_TRUE(has_nan(y)) << order;
  }
}

TEST_F(CudaEmulation, MissingSecondBarrierGivesAnotherResultInSomeOrder) {
  if (sees_races) {
    EXPECT_DEATH(sum_rows_without_second_barrier(x.data(), y.data(), 8), "data race");
    return;
  }
  Managed<float> right(8);
  sum_rows(x.data(), right.data(), 8);
  int wrong = 0;
  for (const std::uint64_t order : orders) {
    emu::set_schedule(order);
    sum_rows_without_second_barrier(x.data(), y.data(), 8);
    wrong += !std::equal(right.begin(), right.end(), y.begin());
  }
  EXPECT_GT(wrong, 0);
}

// Threads run one at a time: only the race detector can see this one.
TEST_F(CudaEmulation, SumWithoutAtomicsIsARace) {
  if (!sees_races) GTEST_SKIP() << "needs ThreadSanitizer";
  EXPECT_DEATH(add_without_atomics(x.data(), y.data()), "data race");
}

TEST_F(CudaEmulation, BarriersThatNotAllThreadsReachAreFaults) {
  EXPECT_FAULT(barrier_for_some(x.data(), y.data()), "do not meet", "40 wait in __syncthreads",
               "24 have returned")
  EXPECT_FAULT(return_before_barrier(x.data(), y.data()), "50 wait in __syncthreads", "14 have returned")
  EXPECT_FAULT(two_barriers(x.data(), y.data()), "not that of the others, which wait at broken_kernels.cu:")
  emu::set_schedule(0);
  read_neighbours(x.data(), y.data());  // what stopped in the middle is in nobody's way
  EXPECT_FALSE(has_nan(y));
}

TEST_F(CudaEmulation, ShufflesWithAbsentLanesAreFaults){
    EXPECT_FAULT(shuffle_by_some(x.data(), y.data()), "7 wait in an operation of a warp")
        EXPECT_FAULT(shuffle_from_absent_lane(x.data(), y.data()), "reads lane", "which takes no part")}

TEST_F(CudaEmulation, SharedMemoryStartsOutUndefinedInEveryBlock) {
  read_uninitialised_shared(y.data());
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], 1);
}

TEST_F(CudaEmulation, SharedMemoryIsAsSmallAsADevices) {
  EXPECT_NE(fault_of([&] { use_too_much_shared(y.data()); }).find("48 KiB"), std::string::npos);
}

TEST_F(CudaEmulation, KernelsGetNoMemoryOfTheHost) {
  const std::vector<float> host(64);
  for (const auto& copy : {overrun_shared, read_through_struct})
    EXPECT_NE(fault_of([&] { copy(host.data(), y.data()); }).find("memory of the host"), std::string::npos);
  read_through_struct(x.data(), y.data());
  EXPECT_EQ(y[63], x[63]);
}

TEST_F(CudaEmulation, OverrunsAreSeen) {
  if (!emu::asan::enabled) GTEST_SKIP() << "needs AddressSanitizer";
  EXPECT_DEATH(overrun_shared(x.data(), y.data()), "heap-buffer-overflow.*|runtime error");
  float* const from = device_array<float>(100);
  float* const to = device_array<float>(100);
  overrun_global(from, to, 99);
  EXPECT_DEATH(overrun_global(from, to, 100), "heap-buffer-overflow");
  EXPECT_DEATH(read_misaligned(x.data(), y.data()), "misaligned address");
  cudaFree(to);
  EXPECT_NE(fault_of([&] { overrun_global(from, to, 99); }).find("memory of the host"), std::string::npos);
  cudaFree(from);
}

TEST_F(CudaEmulation, TheHostMayNotTouchDeviceMemory) {
  float* const device = device_array<float>(16);
  Managed<float> back(16);
  start_threads(device, 16);
  ASSERT_EQ(cudaMemcpy(back.data(), device, 16 * sizeof(float), cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back[15], 1);
  if (emu::asan::enabled) {
    EXPECT_DEATH(back[0] = device[3], "use-after-poison");
    EXPECT_DEATH(device[3] = 1, "use-after-poison");
  }
  cudaFree(device);
}

TEST_F(CudaEmulation, PinnedMemoryIsTheHostsWithinReachOfKernels) {
  void* pinned = nullptr;
  ASSERT_EQ(cudaMallocHost(&pinned, 16 * sizeof(float)), cudaSuccess);
  float* const values = static_cast<float*>(pinned);
  start_threads(values, 16);
  cuda::synchronize("test");
  EXPECT_EQ(values[15], 1);
  EXPECT_EQ(cudaMemcpy(values, x.data(), 16, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(values, x.data(), 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(values, x.data(), 16, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemset(values, 0, 8), cudaSuccess);
  EXPECT_EQ(values[1], 0);
  EXPECT_EQ(values[3], x[3]);
  cudaGetLastError();
  cudaFreeHost(pinned);
}

TEST_F(CudaEmulation, WaitsAreCounted) {
  const std::int64_t before = emu::waits();
  cuda::synchronize("test");
  cudaDeviceSynchronize();
  EXPECT_EQ(emu::waits(), before + 2);
}

TEST_F(CudaEmulation, CopiesKnowWhereMemoryIs) {
  float* const device = device_array<float>(16);
  std::vector<float> host(16, 2.0f);
  constexpr std::size_t bytes = 16 * sizeof(float);
  const auto copy = [](void* to, const void* from, std::size_t n, cudaMemcpyKind kind) {
    return cudaMemcpyAsync(to, from, n, kind, nullptr);
  };
  EXPECT_EQ(copy(device, host.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(copy(x.data(), device, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(x[15], 2);
  EXPECT_EQ(copy(device, x.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(copy(x.data(), device, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(copy(device, host.data(), bytes, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(copy(device, host.data(), bytes, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(copy(device, x.data(), bytes + 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemsetAsync(device, 0, bytes + 1, nullptr), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  cudaFree(device);
  EXPECT_EQ(cudaFree(device), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST_F(CudaEmulation, DeferredWorkRunsWhenTheHostWaits) {
  std::fill(y.begin(), y.end(), 0.0f);
  emu::set_deferred(true);
  void* device = nullptr;
  ASSERT_EQ(cudaMallocAsync(&device, 64 * sizeof(float), cuda::stream()), cudaSuccess);
  start_threads(static_cast<float*>(device), 64);
  cudaMemcpyAsync(y.data(), device, 64 * sizeof(float), cudaMemcpyDeviceToHost, cuda::stream());
  EXPECT_EQ(cudaFreeAsync(device, cuda::stream()), cudaSuccess);
  EXPECT_EQ(y[63], 0);
  cuda::synchronize("test");
  EXPECT_EQ(y[63], 1);
}

TEST_F(CudaEmulation, TheDeviceCanLackPoolsOfMemory) {
  emu::set_pools(false);
  int supported = 1;
  void* memory = nullptr;
  EXPECT_EQ(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0), cudaSuccess);
  EXPECT_EQ(supported, 0);
  EXPECT_EQ(cudaMallocAsync(&memory, 16, nullptr), cudaErrorNotSupported);
  cudaGetLastError();
}

TEST_F(CudaEmulation, LaunchesThatADeviceRefusesAreErrors) {
  start_threads(y.data(), sees_races ? 32 : 1024);
  EXPECT_THROW(start_threads(y.data(), 1025), Error);
  EXPECT_THROW(start_threads(y.data(), 0), Error);
}

TEST_F(CudaEmulation, TheDeviceCanBeAbsent) {
  int count = 42;
  void* memory = nullptr;
  for (const auto& [presence, error] : {std::pair(emu::Presence::no_device, cudaErrorNoDevice),
                                        std::pair(emu::Presence::old_driver, cudaErrorInsufficientDriver)}) {
    emu::set_presence(presence);
    EXPECT_EQ(cudaGetDeviceCount(&count), error);
    EXPECT_EQ(count, 42);
    EXPECT_EQ(cudaMalloc(&memory, 16), error);
    EXPECT_EQ(cuda::device_count().count, 0);
    EXPECT_EQ(cuda::device_count().reason, cudaGetErrorString(error));
  }
  emu::set_presence(emu::Presence::present);
  EXPECT_EQ(cuda::device_count().count, 1);
}

TEST_F(CudaEmulation, TheDeviceCanBeSmall) {
  emu::set_capacity(1000);
  void *first = nullptr, *second = nullptr;
  EXPECT_EQ(cudaMallocAsync(&first, 1001, nullptr), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMallocAsync(&first, 600, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&second, 401, nullptr), cudaErrorMemoryAllocation);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(cudaFreeAsync(first, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMallocAsync(&second, 1000, nullptr), cudaSuccess);
  cudaFree(second);
  cudaGetLastError();
}

}  // namespace
}  // namespace actlab::test
