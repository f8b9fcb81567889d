// Segments, copies and fills of a CUDA device.
#include "kernels/cuda/memory.h"

#include "kernels/cuda/families.h"
#include "kernels/cuda/runtime.h"
#include "kernels/error.h"

namespace actlab::cuda {

DeviceSegments::DeviceSegments() {
  int supported = 0;
  check(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, device().index), "device");
  pools_ = supported != 0;
}

void* DeviceSegments::request(std::int64_t bytes) {
  const auto request = [&](void** segment) {
    const auto size = static_cast<std::size_t>(bytes);
    const cudaError_t status = pools_ ? cudaMallocAsync(segment, size, stream()) : cudaMalloc(segment, size);
    if (status == cudaErrorMemoryAllocation)
      cudaGetLastError();  // the allocator's to say
    else
      check(status, "memory of the device");
    return status == cudaSuccess;
  };
  void* segment = nullptr;
  if (request(&segment)) return segment;
  synchronize("memory of the device");  // what was given back before is there when the stream has passed it
  return request(&segment) ? segment : nullptr;
}

void DeviceSegments::give_back(void* segment, std::int64_t) noexcept {
  if (pools_)
    cudaFreeAsync(segment, stream());
  else
    cudaFree(segment);
}

std::string DeviceSegments::state() const {
  std::size_t free = 0, all = 0;
  if (cudaMemGetInfo(&free, &all) != cudaSuccess) return {};
  return concat(", ", free, " of the device's ", all, " free");
}

std::int64_t DeviceMemory::available_bytes() const {
  std::size_t free = 0, all = 0;
  check(cudaMemGetInfo(&free, &all), "memory of the device");
  return static_cast<std::int64_t>(free);
}

void DeviceMemory::wait() { synchronize("wait for the device"); }

void DeviceMemory::copy_from_host(void* to, const void* from, std::int64_t bytes) {
  staging_.copy_to_device(to, from, bytes);
}

void DeviceMemory::copy_to_host(void* to, const void* from, std::int64_t bytes) {
  if (bytes == 0) return;
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost, stream()),
        "copy from the device");
  synchronize("copy from the device");
}

void DeviceMemory::copy(void* to, const void* from, std::int64_t bytes) {
  if (bytes == 0) return;
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice, stream()),
        "copy on the device");
  check_launch(cudaSuccess, "copy on the device");
}

void DeviceMemory::zero(void* block, std::int64_t bytes) {
  if (bytes == 0) return;
  check_launch(cudaMemsetAsync(block, 0, static_cast<std::size_t>(bytes), stream()), "zero on the device");
}

void DeviceMemory::trim() {
  allocator_.trim();
  synchronize("trim");
}

}  // namespace actlab::cuda

namespace actlab {

std::string missing_cuda_device() {
  std::string reason = cuda::device_count().reason;
  return reason.empty() ? cuda::missing_code() : reason;
}

Memory& use_cuda_device(int index) {
  cuda::use_device(index);
  static Memory& memory = *new cuda::DeviceMemory;
  return memory;
}

}  // namespace actlab
