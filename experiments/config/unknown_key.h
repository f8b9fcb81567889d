// What is said of a key that does not exist.
#pragma once

#include "experiments/config/experiment.h"
#include "experiments/config/schema.h"
#include "experiments/config/setting.h"

namespace actlab {

struct Path {
  std::string section;  ///< "" at the top level
  std::string key;      ///< all behind the first dot
};

Path split_path(const std::string& path);

/// Throws ConfigError with where the key belongs, if another section or component has it, or else with the
/// nearest keys. The experiment's components are those that its settings name.
[[noreturn]] void refuse_key(const Setting& setting, const Experiment& experiment, const Schemas& schemas);

/// Throws ConfigError with the nearest of the names that could stand in place of `key` in the path.
[[noreturn]] void refuse_key(const Setting& setting, std::string_view key,
                             const std::vector<std::string>& known);

/// Throws ConfigError for a section that experiment files do not have, even if nothing stands in it.
void check_sections(const Settings& settings);

}  // namespace actlab
