// What kernels found wrong with the values that they were given.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/math/target.h"

namespace actlab::cuda {

/// A value outside the range that an operation can use.
struct Fault {
  std::string (*text)(const Fault&) = nullptr;  ///< words the error, on the host; null: there is none
  std::string_view operation = {};              ///< constants of the host
  std::string_view name = {};                   ///< what the operation calls the value
  double least = 0, most = 0;                   ///< the range
  std::int64_t place = 0;                       ///< of the value among those of the operation
  double value = 0;
};

/// What the single thread of a block that found `fault` does with it: kernels run in order, the first check
/// that finds one is told. `record` lies in the host's memory and is touched where something is wrong only.
ACTLAB_HD void report(Fault fault, std::int64_t place, double value, Fault* record) {
  if (record->text != nullptr) return;
  fault.place = place;
  fault.value = value;
  *record = fault;
}

/// The first fault since the last that was thrown; for kernels, which write it where there is none yet.
/// cuda::synchronize throws it.
Fault* fault_record();

}  // namespace actlab::cuda
