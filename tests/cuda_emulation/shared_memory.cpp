// Shared memory: an allocation for each array and block, exactly as large and no better aligned than nvcc
// promises, so that AddressSanitizer sees its ends and UndefinedBehaviorSanitizer a wide access at an odd
// place.
#include <cstdlib>
#include <cstring>

#include "tests/cuda_emulation/block.h"

namespace emu {

char shared_object;

SharedArray allocate_shared(const void* key, std::size_t bytes, std::size_t alignment) {
  const tsan::As as(keeper);
  const std::size_t shift = alignment < 16 ? alignment : 0;
  SharedArray made{key, nullptr, nullptr};
  if (posix_memalign(&made.memory, 16, shift + bytes) != 0) std::abort();
  std::memset(made.memory, 0xff, shift + bytes);  // NaN: it starts out undefined
  asan::poison(made.memory, shift);
  made.array = static_cast<char*>(made.memory) + shift;
  tsan::release(&shared_object);
  return made;
}

void free_shared() {
  tsan::acquire(&shared_object);
  for (std::size_t i = 0; i < block.shared_arrays; ++i) std::free(block.shared[i].memory);
  block.shared_arrays = block.shared_bytes = 0;
}

void* shared_array(const void* key, std::size_t bytes, std::size_t alignment) {
  void* array = nullptr;
  for (std::size_t i = 0; i < block.shared_arrays; ++i)
    if (block.shared[i].key == key) array = block.shared[i].array;
  if (array == nullptr) {
    block.shared_bytes += bytes;
    if (block.shared_bytes > shared_bytes_per_block || block.shared_arrays == block.shared.size())
      fail("shared memory of a block is larger than 48 KiB", Site::current());
    block.shared[block.shared_arrays++] = allocate_shared(key, bytes, alignment);
    array = block.shared[block.shared_arrays - 1].array;
  }
  tsan::acquire(&shared_object);
  return array;
}

}  // namespace emu
