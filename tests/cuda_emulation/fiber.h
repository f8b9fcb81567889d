// Stacks on which CUDA threads run, and the switch between them. All run on the OS thread that launches.
#pragma once

#include <cstddef>

#include "tests/cuda_emulation/sanitizers.h"

namespace emu {

struct Fiber {
  Fiber* next_idle = nullptr;
  char* stack = nullptr;  // its lowest address
  std::size_t bytes = 0;
  void* stack_pointer = nullptr;  // while it does not run
  void* fake_stack = nullptr;     // AddressSanitizer's
  tsan::Identity identity = nullptr;
  int first_thread = -1;  // what it is to run when it is switched to after being idle
};

/// The fiber that runs.
extern Fiber* running;
/// The host's own stack, from which launches come.
extern Fiber host_fiber;

/// Identities for the race detector, made by the host: the keeper creates fibers and fills shared memory, and
/// never comes after a CUDA thread, or it would order the others; the janitor comes after all.
extern tsan::Identity keeper, janitor;

/// Makes the calling OS thread the host.
void adopt_host();
void switch_to(Fiber& next);

/// An idle fiber; one that was never used starts in `entry`. Stacks are kept for the life of the process.
Fiber& take_fiber(void (*entry)());
void put_fiber(Fiber& fiber);
/// The same for a fiber that stopped in the middle of a kernel: it starts anew. Kernels own nothing, so that
/// nothing is lost with the old stack.
void put_abandoned_fiber(Fiber& fiber);
/// Under ThreadSanitizer a fiber is not lent again to the next block, which would be ordered after this one.
void end_of_block();

}  // namespace emu
