// Options of a component from words of the command line.
#pragma once

#include <string>
#include <vector>

#include "framework/core/options.h"

namespace actlab {

/// The declared options with the values that `settings` give, each "key=value" or "section.key=value", as
/// that section of an experiment file would set them. Throws ConfigError for an unknown key, with the
/// nearest, and for a value that does not fit.
Options read_component_options(const std::string& section, const std::vector<Option>& declared,
                               const std::vector<std::string>& settings);

}  // namespace actlab
