// What the rows of a comparison are held against.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/results/comparison_groups.h"

namespace actlab {

/// The rows of one activation, or those with one value of a setting that differs.
struct Baseline {
  std::string activation;
  std::size_t key = 0;  ///< place of the setting whose `value` is given
  std::string value;

  bool by_value() const { return !value.empty(); }
  std::string name() const { return by_value() ? value : activation; }
  bool holds(const RunGroup& group) const {
    return by_value() ? group.values[key] == value : group.activation == activation;
  }
};

/// From an activation as spelled or by its plain name, or KEY=VALUE; `usual` is the activation where nothing
/// is wanted and the runs have it, else it is that of the first. Throws ConfigError for what no run has, and
/// for a plain name that fits several spellings.
Baseline find_baseline(const std::vector<RunGroup>& groups, const std::vector<std::string>& keys,
                       const std::string& wanted, const std::string& usual);

/// The baseline's group that differs from this one in what the baseline fixes alone, the setting `chosen`
/// apart, which each activation has its own value of; null where there is none.
const RunGroup* partner_of(const RunGroup& group, const std::vector<RunGroup>& groups,
                           const Baseline& baseline, std::optional<std::size_t> chosen);

}  // namespace actlab
