// What a result depends on beside its config: program, machine, libraries.
#pragma once

#include <string>

#include "experiments/results/record.h"
#include "kernels/backend.h"

namespace actlab {

/// Version of the program, and with the commit it was built from where that is known: "0.1.0", "0.1.0
/// (1a2b3c4)".
std::string program_version();
std::string program_build();
/// Checksum of the program's file: another after every change of its code, a user's own activation included.
std::string program_checksum();

/// Version, compiler, processor, instruction set, cores, the backend's libraries, and the variables that
/// change their numbers.
Record environment(const Backend& backend);

}  // namespace actlab
