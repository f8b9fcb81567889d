// Host segments, copies and fills.
#include "kernels/cpu/host_memory.h"

#include <sanitizer/asan_interface.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "kernels/cpu/parallel.h"

namespace actlab {
namespace {

constexpr std::int64_t bytes_a_part = std::int64_t{1} << 18;

// Bytes of all segments.
std::atomic<std::int64_t> held = 0;

}  // namespace

// The system promises more than there is, and ends whoever uses it.
void* HostSegments::request(std::int64_t bytes) noexcept {
  static const std::int64_t there_are = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  if (held += bytes; held > there_are) {
    held -= bytes;
    return nullptr;
  }
  void* segment = std::aligned_alloc(64, static_cast<std::size_t>(bytes));
  if (segment == nullptr) held -= bytes;
  return segment;
}

void HostSegments::give_back(void* segment, std::int64_t bytes) noexcept {
  held -= bytes;
  ASAN_UNPOISON_MEMORY_REGION(segment, static_cast<std::size_t>(bytes));
  std::free(segment);
}

void HostSegments::lend(void* block, std::int64_t bytes, std::int64_t capacity) noexcept {
  reclaim(block, capacity);
  ASAN_UNPOISON_MEMORY_REGION(block, static_cast<std::size_t>(bytes));
}

void HostSegments::reclaim([[maybe_unused]] void* block, [[maybe_unused]] std::int64_t capacity) noexcept {
  ASAN_POISON_MEMORY_REGION(block, static_cast<std::size_t>(capacity));
}

void HostMemory::copy(void* to, const void* from, std::int64_t bytes) {
  parallel_for(bytes, bytes_a_part, [=](std::int64_t begin, std::int64_t end) {
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                static_cast<std::size_t>(end - begin));
  });
}

void HostMemory::zero(void* block, std::int64_t bytes) {
  parallel_for(bytes, bytes_a_part, [=](std::int64_t begin, std::int64_t end) {
    std::memset(static_cast<char*>(block) + begin, 0, static_cast<std::size_t>(end - begin));
  });
}

}  // namespace actlab
