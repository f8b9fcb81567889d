// The CUDA runtime: its errors, the device in use, and the stream on which all work runs in order.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace actlab::cuda {

/// Throws Error "operation: CUDA: reason" unless the call succeeded.
void check(cudaError_t status, std::string_view operation);

/// The stream of all kernels and copies of the device in use.
cudaStream_t stream();

/// Waits for all that the stream was given, and throws its errors under this name; the first fault that its
/// kernels found (fault.h) is thrown in its own words, once.
void synchronize(std::string_view operation);

/// What is done after each launch: its own errors are thrown and, where the environment has
/// ACTLAB_CUDA_SYNCHRONOUS=1, those of its run.
void check_launch(cudaError_t status, std::string_view operation);

struct Device {
  std::string name;
  int index;
  int multiprocessors;
  int major, minor;  ///< compute capability
  std::int64_t bytes;
  int driver;  ///< 13000 for one of CUDA 13.0
};

/// Devices that can be used; 0 and the runtime's reason where it has none.
struct DeviceCount {
  int count;
  std::string reason;
};
DeviceCount device_count();

/// Why this build's kernels do not run on the thread's current device; empty where they do.
std::string missing_code();

/// Takes device number `index` for this process; throws ConfigError where there is no such one, or another is
/// in use.
void use_device(int index);
/// The device in use; number 0 where none was chosen.
const Device& device();

}  // namespace actlab::cuda
