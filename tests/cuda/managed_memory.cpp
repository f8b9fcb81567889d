// Memory that the emulated device and the tests reach: each block apart, so that AddressSanitizer sees its
// ends.
#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime.h"
#include "tests/kernels/test_memory.h"

namespace actlab {

void* allocate_for_test(std::size_t bytes) {
  void* memory = nullptr;
  cuda::check(cudaMallocManaged(&memory, bytes), "memory of a test");
  return memory;
}

void free_of_test(void* memory, std::size_t /*bytes*/) noexcept { cudaFree(memory); }

}  // namespace actlab
