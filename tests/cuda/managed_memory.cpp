// Memory that the device and the tests reach.
#include <cuda_runtime_api.h>

#include "kernels/cuda/runtime.h"
#include "tests/kernels/test_memory.h"

namespace actlab {

void* allocate_for_test(std::size_t bytes) {
  void* memory = nullptr;
  cuda::check(cudaMallocManaged(&memory, bytes), "memory of a test");
  return memory;
}

void free_of_test(void* memory) { cudaFree(memory); }

}  // namespace actlab
