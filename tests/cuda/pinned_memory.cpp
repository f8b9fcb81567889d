// Memory that a real device and the tests reach: pinned, so that no page moves between them, and kept for the
// next test, as they take a million blocks. Kernels, and the device's copies and fills, reach it by unified
// addressing.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <vector>

#include "kernels/cuda/runtime.h"
#include "tests/kernels/test_memory.h"

namespace actlab {
namespace {

constexpr std::size_t smallest = 256, chunk_bytes = std::size_t{64} << 20;

void* pin(std::size_t bytes) {
  void* memory = nullptr;
  cuda::check(cudaMallocHost(&memory, bytes), "memory of a test");
  return memory;
}

/// Blocks of the sizes that are powers of two, cut from chunks, or pinned by themselves where they are as
/// large.
class Blocks {
 public:
  void* take(std::size_t bytes) {
    const std::size_t size = rounded(bytes);
    const std::lock_guard lock(mutex_);
    auto& free = free_of(size);
    if (free.empty()) return size < chunk_bytes ? cut(size) : pin(size);
    void* const block = free.back();
    free.pop_back();
    return block;
  }
  void give_back(void* block, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    free_of(rounded(bytes)).push_back(block);
  }

 private:
  static std::size_t rounded(std::size_t bytes) { return std::bit_ceil(std::max(bytes, smallest)); }
  std::vector<void*>& free_of(std::size_t size) {
    return free_[static_cast<std::size_t>(std::countr_zero(size))];
  }
  void* cut(std::size_t size) {
    if (left_ < size) {
      chunk_ = static_cast<unsigned char*>(pin(chunk_bytes));
      left_ = chunk_bytes;
    }
    left_ -= size;
    return chunk_ + left_;
  }

  std::mutex mutex_;
  std::array<std::vector<void*>, 64> free_;  ///< by the size's exponent
  unsigned char* chunk_ = nullptr;
  std::size_t left_ = 0;
};

// It lives as long as the process.
Blocks& blocks() {
  static Blocks& all = *new Blocks;
  return all;
}

}  // namespace

void* allocate_for_test(std::size_t bytes) { return blocks().take(bytes); }

void free_of_test(void* memory, std::size_t bytes) noexcept { blocks().give_back(memory, bytes); }

}  // namespace actlab
