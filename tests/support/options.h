// Options with some of their values set.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "framework/core/options.h"

namespace actlab {

using OptionValues = std::vector<std::pair<std::string, OptionValue>>;

inline Options options_of(const std::vector<Option>& declared, const OptionValues& values) {
  Options options(declared);
  for (const auto& [name, value] : values) options.set(name, value);
  return options;
}

}  // namespace actlab
