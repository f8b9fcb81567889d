// What device = "auto" means on this machine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "experiments/config/experiment.h"

namespace actlab {

/// The device that is computed on where this one is asked for, by its one name, "cuda" for "cuda:0": for
/// "auto" the best one here, of which `inform` is told.
std::string usable_device(const std::string& device, const std::function<void(const std::string&)>& inform);

/// The experiments on devices that are usable; `inform` is told once, and experiments that are equal by it
/// are listed once.
std::vector<Experiment> with_usable_device(std::vector<Experiment> experiments,
                                           const std::function<void(const std::string&)>& inform);

}  // namespace actlab
