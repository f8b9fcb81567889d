// Makes a .cu file plain C++ that runs on the CPU; force-included (-include) before it. Types and prototypes
// are the CUDA toolkit's own, whose headers a host compiler reads; what exists on a device only is supplied
// here. No library of CUDA is linked.
//
// Not emulated: PTX, tensor-core fragments, cooperative groups, textures, dynamic shared memory, and threads
// that spin until another has done something. Rounding is that of the host, and nothing is said about speed.
#pragma once

#ifdef __CUDACC__
#error "cuda_emulation.h is for the host's C++ compiler"
#endif
#define CUDA_EMULATION 1

#include <cuda_runtime.h>

#include "tests/cuda_emulation/arithmetic.h"
#include "tests/cuda_emulation/atomics.h"
#include "tests/cuda_emulation/device_calls.h"
#include "tests/cuda_emulation/emulator.h"
#include "tests/cuda_emulation/warp_functions.h"

#undef __launch_bounds__
#define __launch_bounds__(...)
// The toolkit's headers define it as nothing here: a variable would be each thread's own. Only ACTLAB_SHARED
// compiles.
#undef __shared__
#define __shared__ static_assert(false, "declare shared memory with ACTLAB_SHARED");

// What kernels/cuda/launch.h leaves to the emulation.

/// T name[...]; in the shared memory of the block.
#define ACTLAB_SHARED(T, name, ...) \
  static const char name##_key = 0; \
  T(&name)                          \
  __VA_ARGS__ =                     \
      *reinterpret_cast<T(*) __VA_ARGS__>(emu::shared_array(&name##_key, sizeof(T __VA_ARGS__), alignof(T)))

namespace actlab::cuda {

template <class... P>
cudaError_t start(void (*kernel)(P...), dim3 blocks, dim3 threads, cudaStream_t on, P... arguments) {
  emu::check_arguments(arguments...);
  return emu::submit(blocks, threads, on, [=] { kernel(arguments...); });
}

}  // namespace actlab::cuda
