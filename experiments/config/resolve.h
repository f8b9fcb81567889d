// From settings to one experiment, every one of them checked.
#pragma once

#include "experiments/config/experiment.h"
#include "experiments/config/schema.h"
#include "experiments/config/setting.h"

namespace actlab {

/// Applies the settings in order to the defaults. Throws ConfigError beginning with the setting's `where`.
Experiment resolve(const std::vector<Setting>& settings, const Schemas& schemas);

/// Throws ConfigError for a section that experiment files do not have, even if nothing stands in it.
void check_sections(const Settings& settings);

}  // namespace actlab
