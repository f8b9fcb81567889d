// Size classes, free lists and counts of the caching allocator.
#include "kernels/caching_allocator.h"

#include <algorithm>
#include <bit>
#include <exception>
#include <limits>
#include <utility>

#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::int64_t alignment = 64;

// Free blocks that this many allocations passed over are no part of the current pattern (a training step
// makes some hundred).
constexpr std::int64_t long_idle = 10'000;

// The size class of a request: multiples of an eighth of the power of two below it, at least of 64.
std::int64_t size_class(std::int64_t bytes) {
  const auto wanted = static_cast<std::uint64_t>(std::max<std::int64_t>(bytes, 1));
  const std::uint64_t step = std::max<std::uint64_t>(std::bit_floor(wanted) / 8, alignment);
  return static_cast<std::int64_t>((wanted + step - 1) / step * step);
}

void add(MemoryCount& count, std::int64_t bytes) {
  count.current += bytes;
  count.peak = std::max(count.peak, count.current);
}

// " (parameters 512, activations 4096)": what holds the bytes in use.
std::string by_kind(const MemoryStats& stats) {
  std::string text;
  for (int kind = 0; kind < memory_kinds; ++kind)
    if (const std::int64_t bytes = stats.by_kind[static_cast<std::size_t>(kind)].current; bytes > 0)
      text += concat(text.empty() ? " (" : ", ", name_of(static_cast<MemoryKind>(kind)), " ", bytes);
  return text.empty() ? text : text + ")";
}

}  // namespace

CachingAllocator::CachingAllocator(std::string name, SegmentSource& source)
    : name_(std::move(name)), source_(source) {}

CachingAllocator::~CachingAllocator() {
  trim();
  for (const Block& block : live_) source_.give_back(block.data, block.capacity);
}

void* CachingAllocator::allocate(std::int64_t bytes, MemoryKind kind) {
  ACTLAB_CHECK(bytes >= 0 && bytes <= std::numeric_limits<std::int64_t>::max() / 2, name_,
               ": cannot allocate ", bytes, " bytes");
  const std::lock_guard lock(mutex_);
  const std::int64_t capacity = size_class(bytes);
  ++allocations_;
  auto block = take_free(capacity);
  if (block == live_.end()) block = request_block(bytes, capacity);
  block->bytes = bytes;
  block->kind = kind;
  block->last_used = allocations_;
  count(kind, bytes);
  source_.lend(block->data, bytes, block->capacity);
  return block->data;
}

void CachingAllocator::release(void* data) noexcept {
  const std::lock_guard lock(mutex_);
  const auto block = live_block(data);
  count(block->kind, -block->bytes);
  block->bytes = -1;
  source_.reclaim(data, block->capacity);
  Blocks& free = free_.find(block->capacity)->second;  // made with the block, so that nothing here can throw
  free.splice(free.begin(), live_, block);
}

void CachingAllocator::relabel(void* data, MemoryKind kind) noexcept {
  const std::lock_guard lock(mutex_);
  const auto block = live_block(data);
  count(block->kind, -block->bytes);
  count(kind, block->bytes);
  block->kind = kind;
}

MemoryStats CachingAllocator::stats() const {
  const std::lock_guard lock(mutex_);
  return stats_;
}

void CachingAllocator::reset_peak() {
  const std::lock_guard lock(mutex_);
  stats_.total.peak = stats_.total.current;
  for (MemoryCount& count : stats_.by_kind) count.peak = count.current;
}

void CachingAllocator::trim() {
  const std::lock_guard lock(mutex_);
  give_back_if_idle(0);
}

CachingAllocator::Blocks::iterator CachingAllocator::live_block(void* data) noexcept {
  const auto found = blocks_.find(data);
  if (found == blocks_.end() || found->second->bytes < 0) std::terminate();
  return found->second;
}

// Moves a free block that fits to the live ones; the end of these where there is none.
CachingAllocator::Blocks::iterator CachingAllocator::take_free(std::int64_t capacity) {
  for (auto at = free_.lower_bound(capacity); at != free_.end() && at->first <= 2 * capacity; ++at) {
    if (at->second.empty()) continue;
    live_.splice(live_.begin(), at->second, at->second.begin());
    return live_.begin();
  }
  return live_.end();
}

// A new segment as a live block. What other patterns left behind goes back to the system first where more
// than twice the high-water mark of the bytes in use would be held, and all that is free where there is no
// more.
CachingAllocator::Blocks::iterator CachingAllocator::request_block(std::int64_t bytes,
                                                                   std::int64_t capacity) {
  if (stats_.reserved_bytes + capacity > 2 * stats_.total.peak) give_back_if_idle(long_idle);
  free_[capacity];
  live_.push_front({nullptr, capacity, -1, MemoryKind::temporaries, allocations_});
  const auto block = live_.begin();
  try {
    block->data = source_.request(capacity);
    if (block->data == nullptr) {
      give_back_if_idle(0);
      block->data = source_.request(capacity);
    }
    ACTLAB_CHECK(block->data != nullptr, name_, ": out of memory: ", bytes, " bytes asked for, ",
                 stats_.total.current, " in use", by_kind(stats_), ", ", stats_.reserved_bytes,
                 " held from the system", source_.state(), "; use a smaller batch or model");
    blocks_.emplace(block->data, block);
  } catch (...) {
    if (block->data != nullptr) source_.give_back(block->data, capacity);
    live_.erase(block);
    throw;
  }
  stats_.reserved_bytes += capacity;
  ++stats_.segments_requested;
  return block;
}

void CachingAllocator::give_back_if_idle(std::int64_t idle_allocations) noexcept {
  for (auto& [capacity, blocks] : free_) {
    for (auto block = blocks.begin(); block != blocks.end();) {
      if (allocations_ - block->last_used < idle_allocations) {
        ++block;
        continue;
      }
      source_.give_back(block->data, capacity);
      stats_.reserved_bytes -= capacity;
      blocks_.erase(block->data);
      block = blocks.erase(block);
    }
  }
}

void CachingAllocator::count(MemoryKind kind, std::int64_t bytes) {
  add(stats_.total, bytes);
  add(stats_.by_kind[static_cast<std::size_t>(kind)], bytes);
}

}  // namespace actlab
