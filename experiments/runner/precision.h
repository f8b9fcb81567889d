// What an experiment's precision means on this machine.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/config/experiment.h"
#include "kernels/backend.h"

namespace actlab {

/// What layers compute in: of "bf16" and "bf16_emulated" bf16, of "tf32" f32, else the type of that name, f32
/// or f16. Throws ConfigError for other names.
DType compute_type(std::string_view precision);

/// How a backend for this precision multiplies.
Multiplication multiplication_of(std::string_view precision);

/// The precision that is computed in where this one is asked for: "bf16" is f32 where the backend has no
/// kernels for bf16 here, "tf32" where the device is too old, and `warn` is told; "bf16_emulated" is "bf16"
/// on a device. Throws ConfigError for "f16" where it has none, and for "tf32" on the CPU.
std::string usable_precision(const std::string& precision, const Backend& backend,
                             const std::function<void(const std::string&)>& warn);

/// The experiments in precisions that are usable, each warning given once; experiments that are equal by it
/// are listed once.
std::vector<Experiment> with_usable_precision(const std::vector<Experiment>& experiments,
                                              const std::function<void(const std::string&)>& warn);

}  // namespace actlab
