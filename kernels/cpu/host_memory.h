// The host's memory, shared by the reference and the cpu backends.
#pragma once

#include "kernels/caching_allocator.h"
#include "kernels/memory.h"

namespace actlab {

/// Aligned blocks of the process's heap. AddressSanitizer sees the free ones, and the ends of the others, as
/// out of bounds.
class HostSegments final : public SegmentSource {
 public:
  void* request(std::int64_t bytes) noexcept override;
  void give_back(void* segment, std::int64_t bytes) noexcept override;
  void lend(void* block, std::int64_t bytes, std::int64_t capacity) noexcept override;
  void reclaim(void* block, std::int64_t capacity) noexcept override;
};

class HostMemory final : public Memory {
 public:
  void* allocate(std::int64_t bytes, MemoryKind kind) override { return allocator_.allocate(bytes, kind); }
  void release(void* block) noexcept override { allocator_.release(block); }
  void relabel(void* block, MemoryKind kind) noexcept override { allocator_.relabel(block, kind); }
  bool on_host() const override { return true; }
  void copy_from_host(void* to, const void* from, std::int64_t bytes) override { copy(to, from, bytes); }
  void copy_to_host(void* to, const void* from, std::int64_t bytes) override { copy(to, from, bytes); }
  void copy(void* to, const void* from, std::int64_t bytes) override;
  void zero(void* block, std::int64_t bytes) override;
  MemoryStats stats() const override { return allocator_.stats(); }
  void reset_peak() override { allocator_.reset_peak(); }
  void trim() override { allocator_.trim(); }

 private:
  HostSegments segments_;
  CachingAllocator allocator_{"host memory", segments_};
};

}  // namespace actlab
