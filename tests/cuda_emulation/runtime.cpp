// A CUDA runtime on the CPU: device, errors, streams and launches. The prototypes are those of the toolkit's
// headers.
#include "tests/cuda_emulation/runtime.h"

#include <cstdint>
#include <deque>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/cuda_emulation/block.h"
#include "tests/cuda_emulation/device_calls.h"
#include "tests/cuda_emulation/device_memory.h"
#include "tests/cuda_emulation/emulator.h"
#include "tests/cuda_emulation/scheduler.h"

/// Work that waits to be done, in order.
struct CUstream_st {
  std::deque<std::function<void()>> work;
};

namespace emu {

std::recursive_mutex runtime_mutex;

namespace {

constexpr int multiprocessors = 1;  // so that grid-stride loops go round

Presence presence = Presence::present;
std::size_t capacity = default_capacity;
bool pools = true;
bool deferred = false;
std::int64_t waits_so_far = 0;
std::int64_t launches_before_fault = -1;
bool faulted = false;
thread_local cudaError_t last_error = cudaSuccess;
CUstream_st default_stream;
std::vector<CUstream_st*> streams{&default_stream};

CUstream_st& stream_of(cudaStream_t stream) {
  const bool is_default = stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
  return is_default ? default_stream : *stream;
}

void drain(CUstream_st& stream) {
  while (!stream.work.empty()) {
    const auto work = std::move(stream.work.front());
    stream.work.pop_front();  // before it may throw
    work();
  }
}

cudaError_t wait_for_device(auto wait) {
  const std::lock_guard lock(runtime_mutex);
  if (device_status() != cudaSuccess) return keep(device_status());
  wait();
  return keep(device_status());
}

}  // namespace

std::int64_t waits() { return waits_so_far; }

cudaError_t keep(cudaError_t status) {
  if (status != cudaSuccess) last_error = status;
  return status;
}

cudaError_t device_status() {
  switch (presence) {
    case Presence::no_device:
      return cudaErrorNoDevice;
    case Presence::old_driver:
      return cudaErrorInsufficientDriver;
    case Presence::present:
      break;
  }
  return faulted ? cudaErrorIllegalAddress : cudaSuccess;
}

std::size_t device_capacity() { return capacity; }
bool device_has_pools() { return pools; }

void wait_for(cudaStream_t stream) {
  const std::lock_guard lock(runtime_mutex);
  drain(stream_of(stream));
}

void wait_for_all() {
  const std::lock_guard lock(runtime_mutex);
  for (CUstream_st* const stream : streams) drain(*stream);
}

void set_presence(Presence new_presence) { presence = new_presence; }
void set_capacity(std::size_t bytes) { capacity = bytes; }
void set_pools(bool on) { pools = on; }
void set_fault(std::int64_t launches) {
  launches_before_fault = launches;
  faulted = false;
}

void set_deferred(bool on) {
  wait_for_all();
  deferred = on;
}

void enqueue(cudaStream_t stream, std::function<void()> work) {
  const std::lock_guard lock(runtime_mutex);
  if (!deferred) return work();
  stream_of(stream).work.push_back(std::move(work));
}

cudaError_t submit(dim3 blocks, dim3 threads, cudaStream_t stream, std::function<void()> kernel) {
  if (device_status() != cudaSuccess) return keep(device_status());
  const auto within = [](dim3 size, unsigned x, unsigned y, unsigned z) {
    return size.x - 1 < x && size.y - 1 < y && size.z - 1 < z;  // 0 is none of them
  };
  if (!within(blocks, 0x7fffffff, 65535, 65535) || !within(threads, most_threads, most_threads, 64) ||
      std::uint64_t{threads.x} * threads.y * threads.z > most_threads)
    return keep(cudaErrorInvalidConfiguration);
  enqueue(stream, [=, kernel = std::move(kernel)] {
    if (launches_before_fault >= 0 && launches_before_fault-- == 0) faulted = true;
    if (faulted) return;
    const Access access;
    run_grid(blocks, threads, kernel);
  });
  return cudaSuccess;
}

}  // namespace emu

using namespace emu;

cudaError_t cudaGetDeviceCount(int* count) {
  if (device_status() != cudaSuccess) return keep(device_status());
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int* version) {
  *version = presence == Presence::old_driver ? 11000 : CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  if (device_status() != cudaSuccess) return keep(device_status());
  return device == 0 ? cudaSuccess : keep(cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  if (const cudaError_t status = cudaSetDevice(device); status != cudaSuccess) return status;
  *properties = {};
  std::string_view("CUDA emulation").copy(properties->name, sizeof properties->name - 1);
  properties->major = 9;
  properties->warpSize = warpSize;
  properties->multiProcessorCount = multiprocessors;
  properties->maxThreadsPerBlock = most_threads;
  properties->sharedMemPerBlock = shared_bytes_per_block;
  properties->totalGlobalMem = capacity;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (const cudaError_t status = cudaSetDevice(device); status != cudaSuccess) return status;
  if (attribute != cudaDevAttrMemoryPoolsSupported) return keep(cudaErrorInvalidValue);
  *value = pools;
  return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) {
  *attributes = {};
  return keep(device_status());
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  const std::lock_guard lock(runtime_mutex);
  if (device_status() != cudaSuccess) return keep(device_status());
  *stream = streams.emplace_back(new CUstream_st);
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const std::lock_guard lock(runtime_mutex);
  drain(*stream);
  std::erase(streams, stream);
  delete stream;
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return wait_for_device([stream] {
    ++waits_so_far;
    wait_for(stream);
  });
}

// All that its stream was given so far; never recorded, nothing.
struct CUevent_st {
  bool recorded = false;
  cudaStream_t stream = nullptr;
};

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
  if (device_status() != cudaSuccess) return keep(device_status());
  *event = new CUevent_st;
  return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  *event = {.recorded = true, .stream = stream};
  return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (!event->recorded) return cudaSuccess;
  return wait_for_device([event] { wait_for(event->stream); });
}

cudaError_t cudaDeviceSynchronize() {
  return wait_for_device([] {
    ++waits_so_far;
    wait_for_all();
  });
}

cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }

namespace {

struct ErrorText {
  cudaError_t status;
  const char* name;
  const char* text;
};
constexpr ErrorText error_texts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
    {cudaErrorNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
};

ErrorText text_of(cudaError_t status) {
  for (const ErrorText& text : error_texts)
    if (text.status == status) return text;
  return {status, "unrecognized error code", "unrecognized error code"};
}

}  // namespace

const char* cudaGetErrorName(cudaError_t status) { return text_of(status).name; }
const char* cudaGetErrorString(cudaError_t status) { return text_of(status).text; }
