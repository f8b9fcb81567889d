// Allocation, copies and fills of device memory, which is the host's: exactly as large as asked for, so that
// AddressSanitizer sees its ends, and poisoned where no kernel or copy runs, so that it sees a host that
// reads it.
#include "tests/cuda_emulation/device_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>

#include "tests/cuda_emulation/device_calls.h"
#include "tests/cuda_emulation/emulator.h"
#include "tests/cuda_emulation/runtime.h"
#include "tests/cuda_emulation/sanitizers.h"

// Where the program and its constants begin and end, by the linker.
extern "C" const char __executable_start, end;

namespace emu {
namespace {

struct Allocation {
  std::size_t bytes;
  Kind kind;
};
using Allocations = std::map<const char*, Allocation>;
Allocations allocations;
std::size_t device_bytes = 0;
int accesses = 0;

/// The allocation that holds the place, its end included.
Allocations::const_iterator find(const void* place) {
  const char* const at = static_cast<const char*>(place);
  auto found = allocations.upper_bound(at);
  if (found == allocations.begin()) return allocations.end();
  --found;
  return at <= found->first + found->second.bytes ? found : allocations.end();
}

cudaError_t allocate(void** memory, std::size_t bytes, Kind kind) {
  const std::lock_guard lock(runtime_mutex);
  if (device_status() != cudaSuccess) return keep(device_status());
  *memory = nullptr;
  if (bytes == 0) return kind == Kind::managed ? keep(cudaErrorInvalidValue) : cudaSuccess;
  const std::size_t counted = kind == Kind::device ? bytes : 0;
  if (counted > device_capacity() || device_bytes > device_capacity() - counted ||
      posix_memalign(memory, 256, bytes) != 0)
    return keep(cudaErrorMemoryAllocation);
  std::memset(*memory, 0xff, bytes);  // NaN, so that reading what nobody wrote shows
  allocations[static_cast<char*>(*memory)] = {bytes, kind};
  device_bytes += counted;
  if (kind == Kind::device && accesses == 0) asan::poison(*memory, bytes);
  return cudaSuccess;
}

bool is_block(const void* memory) { return allocations.contains(static_cast<const char*>(memory)); }

void release(void* memory) {
  const auto found = allocations.find(static_cast<char*>(memory));
  if (found == allocations.end()) return;
  if (found->second.kind == Kind::device) {
    device_bytes -= found->second.bytes;
    asan::unpoison(memory, found->second.bytes);
  }
  allocations.erase(found);
  std::free(memory);
}

/// Whether the word can only be an address of the host's memory: it lies where the system puts heap, stack
/// and libraries, beyond any size or count, and there is a page. The program itself is left out: kernels are
/// given its functions and constants to name a fault by (kernels/cuda/fault.h).
bool is_address(std::uintptr_t word) {
  constexpr std::uintptr_t least = std::uintptr_t{1} << 45, most = std::uintptr_t{1} << 47, page = 4096;
  if (word < least || word >= most) return false;
  if (word >= reinterpret_cast<std::uintptr_t>(&__executable_start) &&
      word < reinterpret_cast<std::uintptr_t>(&end))
    return false;
  unsigned char in_memory = 0;
  return mincore(reinterpret_cast<void*>(word / page * page), 1, &in_memory) == 0;
}

/// Whether the device's copies and fills reach all of these bytes, as kernels do.
bool within_reach(const void* memory, std::size_t bytes) { return kind_of(memory, bytes) != Kind::host; }

/// Whether the kind of copy says where the memory is.
bool fits(const void* memory, std::size_t bytes, bool on_device) {
  const Kind kind = kind_of(memory, bytes);
  return kind == Kind::managed || (kind == Kind::device) == on_device;
}

cudaError_t check_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (device_status() != cudaSuccess) return device_status();
  if (kind == cudaMemcpyDefault || bytes == 0) return cudaSuccess;
  const bool right = kind == cudaMemcpyDeviceToDevice ? within_reach(to, bytes) && within_reach(from, bytes)
                                                      : fits(to, bytes, kind == cudaMemcpyHostToDevice) &&
                                                            fits(from, bytes, kind == cudaMemcpyDeviceToHost);
  return right ? cudaSuccess : cudaErrorInvalidValue;
}

}  // namespace

Kind kind_of(const void* from, std::size_t bytes) {
  const std::lock_guard lock(runtime_mutex);
  const auto found = find(from);
  if (found == allocations.end()) return Kind::host;
  const std::size_t offset = static_cast<std::size_t>(static_cast<const char*>(from) - found->first);
  return bytes <= found->second.bytes - offset ? found->second.kind : Kind::host;
}

bool reachable(const void* pointer) { return pointer == nullptr || kind_of(pointer, 0) != Kind::host; }

void check_reachable(const void* pointer) {
  if (!reachable(pointer))
    throw KernelError("cuda emulation: a kernel is given a pointer to memory of the host");
}

void check_words(const void* object, std::size_t bytes) {
  for (std::size_t at = 0; at + sizeof(std::uintptr_t) <= bytes; at += sizeof(std::uintptr_t)) {
    std::uintptr_t word = 0;
    std::memcpy(&word, static_cast<const char*>(object) + at, sizeof word);
    if (is_address(word)) check_reachable(reinterpret_cast<const void*>(word));
  }
}

Access::Access() {
  const std::lock_guard lock(runtime_mutex);
  if (accesses++ > 0) return;
  for (const auto& [memory, allocation] : allocations)
    if (allocation.kind == Kind::device) asan::unpoison(memory, allocation.bytes);
}

Access::~Access() {
  const std::lock_guard lock(runtime_mutex);
  if (--accesses > 0) return;
  for (const auto& [memory, allocation] : allocations)
    if (allocation.kind == Kind::device) asan::poison(memory, allocation.bytes);
}

}  // namespace emu

using namespace emu;

cudaError_t cudaMalloc(void** memory, std::size_t bytes) { return allocate(memory, bytes, Kind::device); }

cudaError_t cudaMallocAsync(void** memory, std::size_t bytes, cudaStream_t) {
  if (!device_has_pools()) return keep(cudaErrorNotSupported);
  return allocate(memory, bytes, Kind::device);
}

cudaError_t cudaMallocManaged(void** memory, std::size_t bytes, unsigned) {
  return allocate(memory, bytes, Kind::managed);
}

cudaError_t cudaMallocHost(void** memory, std::size_t bytes) { return allocate(memory, bytes, Kind::pinned); }

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const std::lock_guard lock(runtime_mutex);
  if (device_status() != cudaSuccess) return keep(device_status());
  *total = device_capacity();
  *free = *total - device_bytes;
  return cudaSuccess;
}

cudaError_t cudaFree(void* memory) {
  const std::lock_guard lock(runtime_mutex);
  if (memory == nullptr) return cudaSuccess;
  wait_for_all();
  if (!is_block(memory)) return keep(cudaErrorInvalidValue);
  release(memory);
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void* memory) { return cudaFree(memory); }

cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  if (!device_has_pools()) return keep(cudaErrorNotSupported);
  const std::lock_guard lock(runtime_mutex);
  if (memory == nullptr) return cudaSuccess;
  if (!is_block(memory)) return keep(cudaErrorInvalidValue);
  enqueue(stream, [memory] { release(memory); });
  return cudaSuccess;
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
  if (const cudaError_t status = check_copy(to, from, bytes, kind); status != cudaSuccess)
    return keep(status);
  enqueue(stream, [=] {
    const Access access;
    if (bytes > 0) std::memmove(to, from, bytes);
  });
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  wait_for_all();
  const cudaError_t status = cudaMemcpyAsync(to, from, bytes, kind, nullptr);
  wait_for(nullptr);
  return status;
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t stream) {
  if (device_status() != cudaSuccess) return keep(device_status());
  if (bytes > 0 && !within_reach(memory, bytes)) return keep(cudaErrorInvalidValue);
  enqueue(stream, [=] {
    const Access access;
    if (bytes > 0) std::memset(memory, value, bytes);
  });
  return cudaSuccess;
}

cudaError_t cudaMemset(void* memory, int value, std::size_t bytes) {
  return cudaMemsetAsync(memory, value, bytes, nullptr);
}
