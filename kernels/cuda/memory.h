// Memory of a CUDA device behind the caching allocator: blocks are released and lent again in the order of
// the stream, so that nothing waits for the device.
#pragma once

#include "kernels/caching_allocator.h"
#include "kernels/cuda/staging.h"
#include "kernels/memory.h"

namespace actlab::cuda {

/// They come from the device's pool in the order of the stream or, where it has none, waiting for the device.
class DeviceSegments final : public SegmentSource {
 public:
  DeviceSegments();
  void* request(std::int64_t bytes) override;
  void give_back(void* segment, std::int64_t bytes) noexcept override;
  std::string state() const override;

 private:
  bool pools_ = false;
};

/// Copies from the host are done with `from` when they return, copies to the host have arrived. All run on
/// the stream.
class DeviceMemory final : public Memory {
 public:
  void* allocate(std::int64_t bytes, MemoryKind kind) override { return allocator_.allocate(bytes, kind); }
  void release(void* block) noexcept override { allocator_.release(block); }
  void relabel(void* block, MemoryKind kind) noexcept override { allocator_.relabel(block, kind); }
  bool on_host() const override { return false; }
  std::int64_t available_bytes() const override;
  void wait() override;
  void copy_from_host(void* to, const void* from, std::int64_t bytes) override;
  void copy_to_host(void* to, const void* from, std::int64_t bytes) override;
  void copy(void* to, const void* from, std::int64_t bytes) override;
  void zero(void* block, std::int64_t bytes) override;
  MemoryStats stats() const override { return allocator_.stats(); }
  void reset_peak() override { allocator_.reset_peak(); }
  void trim() override;

 private:
  DeviceSegments segments_;
  CachingAllocator allocator_{"device memory", segments_};
  Staging staging_;
};

}  // namespace actlab::cuda
