// Keeps released blocks for the next allocation of their size: fresh pages cost more than most kernels.
//
// Every segment taken from the system is one block of a size class (eight classes an octave, so at most an
// eighth is lost). A request takes the smallest free block of its class or of one up to twice as large, and
// asks the system only where there is none: a steady pattern of requests stops asking after a few rounds.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <unordered_map>

#include "kernels/memory.h"

namespace actlab {

/// Where segments come from: the system's memory of one device.
class SegmentSource {
 public:
  virtual ~SegmentSource() = default;
  /// `bytes` bytes (a multiple of 64) aligned to 64, or null where there is no more. Throws Error where the
  /// device fails otherwise.
  virtual void* request(std::int64_t bytes) = 0;
  virtual void give_back(void* segment, std::int64_t bytes) noexcept = 0;
  /// What the system says of its memory, for messages: ", 5 of 8 bytes of the device free".
  virtual std::string state() const { return {}; }
  /// A block of `capacity` bytes now serves a request of `bytes`, or lies free again: for tools that watch.
  virtual void lend(void* /*block*/, std::int64_t /*bytes*/, std::int64_t /*capacity*/) noexcept {}
  virtual void reclaim(void* /*block*/, std::int64_t /*capacity*/) noexcept {}
};

class CachingAllocator {
 public:
  /// `name` appears in messages; `source` outlives the allocator.
  CachingAllocator(std::string name, SegmentSource& source);
  ~CachingAllocator();
  CachingAllocator(const CachingAllocator&) = delete;
  CachingAllocator& operator=(const CachingAllocator&) = delete;

  void* allocate(std::int64_t bytes, MemoryKind kind);
  /// These end the program for a pointer that is no live block: going on would corrupt memory.
  void release(void* block) noexcept;
  void relabel(void* block, MemoryKind kind) noexcept;
  MemoryStats stats() const;
  void reset_peak();
  void trim();

 private:
  struct Block {
    void* data;
    std::int64_t capacity;
    std::int64_t bytes;  ///< asked for by the owner; -1 while the block is free
    MemoryKind kind;
    std::int64_t last_used;  ///< number of the allocation that took it last
  };
  using Blocks = std::list<Block>;

  Blocks::iterator live_block(void* data) noexcept;
  Blocks::iterator take_free(std::int64_t capacity);
  Blocks::iterator request_block(std::int64_t bytes, std::int64_t capacity);
  void give_back_if_idle(std::int64_t idle_allocations) noexcept;
  void count(MemoryKind kind, std::int64_t bytes);

  const std::string name_;
  SegmentSource& source_;
  mutable std::mutex mutex_;
  Blocks live_;
  std::map<std::int64_t, Blocks> free_;  ///< by capacity, the last released first
  std::unordered_map<void*, Blocks::iterator> blocks_;
  MemoryStats stats_;
  std::int64_t allocations_ = 0;
};

}  // namespace actlab
