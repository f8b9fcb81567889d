// What kernels found wrong with the values that they were given.
#pragma once

#include <cstdint>
#include <string>

namespace actlab::cuda {

/// A value outside the range that an operation can use.
struct Fault {
  std::string (*text)(const Fault&) = nullptr;  ///< words the error, on the host; null: there is none
  const char* operation = nullptr;              ///< constants of the host
  const char* name = nullptr;                   ///< what the operation calls the value
  std::int64_t least = 0, most = 0;             ///< the range
  std::int64_t place = 0;                       ///< of the value among those of the operation
  std::int32_t value = 0;
};

/// The first fault since the last that was thrown; for kernels, which write it where there is none yet.
/// cuda::synchronize throws it.
Fault* fault_record();

}  // namespace actlab::cuda
