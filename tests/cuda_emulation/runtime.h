// What the parts of the runtime's stand-in share: errors, streams, whether there is a device.
#pragma once

#include <cuda_runtime_api.h>

#include <mutex>

namespace emu {

/// Of all state of the runtime.
extern std::recursive_mutex runtime_mutex;

/// Returns the status; an error is kept for cudaGetLastError.
cudaError_t keep(cudaError_t status);
/// The error of every call where there is no device.
cudaError_t device_status();
std::size_t device_capacity();
bool device_has_pools();

void wait_for(cudaStream_t stream);
void wait_for_all();

}  // namespace emu
