// Runs the blocks of a grid, one after the other, thread by thread.
#pragma once

#include <functional>

#include "tests/cuda_emulation/device_calls.h"

namespace emu {

/// Throws KernelError at the first fault.
void run_grid(dim3 blocks, dim3 threads, const std::function<void()>& kernel);

}  // namespace emu
