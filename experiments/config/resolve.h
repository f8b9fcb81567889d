// From settings to one experiment, every one of them checked.
#pragma once

#include "experiments/config/experiment.h"
#include "experiments/config/schema.h"
#include "experiments/config/setting.h"

namespace actlab {

/// Applies the settings in order to the defaults. Throws ConfigError beginning with the setting's `where`.
Experiment resolve(const std::vector<Setting>& settings, const Schemas& schemas);

/// Whether the setting is one of [activation.NAME] that holds for an activation spelled so: "elu", but not
/// "elu(alpha=0.3)", which gives that parameter itself.
bool sets_parameter_of(const std::string& activation, const Setting& setting);

/// The setting's value, of the option's type. Throws ConfigError with what is wanted and what was found.
OptionValue checked_value(const Setting& setting, const Option& option, std::string_view or_else = "");

}  // namespace actlab
