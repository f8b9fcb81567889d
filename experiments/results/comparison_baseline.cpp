// Finds the baseline that a user names, and its row for each other row.
#include "experiments/results/comparison_baseline.h"

#include <algorithm>

#include "kernels/error.h"

namespace actlab {
namespace {

Baseline find_value(const std::vector<RunGroup>& groups, const std::vector<std::string>& keys,
                    const std::string& key, const std::string& value) {
  const auto found = std::find(keys.begin(), keys.end(), key);
  if (found == keys.end())
    throw ConfigError(concat("--baseline ", key, "=", value, ": the runs do not differ in '", key, "'",
                             keys.empty() ? "" : "; they do in " + joined(keys)));
  const auto place = static_cast<std::size_t>(found - keys.begin());
  std::set<std::string> known;
  for (const auto& group : groups) known.insert(group.values[place]);
  if (!known.contains(value))
    throw ConfigError(
        concat("--baseline ", key, "=", value, ": no run has this value; there are ", joined(known)));
  return {.activation = {}, .key = place, .value = value};
}

std::string find_activation(const std::vector<RunGroup>& groups, const std::string& wanted,
                            const std::string& usual) {
  const std::string name = wanted.empty() ? usual : wanted;
  std::vector<std::string> known;
  std::set<std::string> candidates;
  for (const auto& group : groups) {
    if (group.activation == name) return name;
    if (group.activation.substr(0, group.activation.find('(')) == name) candidates.insert(group.activation);
    known.push_back(group.activation);
  }
  if (candidates.size() == 1) return *candidates.begin();
  if (wanted.empty()) return groups.front().activation;
  if (!candidates.empty())
    throw ConfigError(concat("the baseline activation '", wanted, "' may be one of: ", joined(candidates)));
  throw ConfigError(
      concat("no run has the baseline activation '", wanted, "'", nearest_names(wanted, known)));
}

}  // namespace

Baseline find_baseline(const std::vector<RunGroup>& groups, const std::vector<std::string>& keys,
                       const std::string& wanted, const std::string& usual) {
  const auto equals = wanted.find('=');
  if (equals != wanted.npos && wanted.find('(') == wanted.npos)
    return find_value(groups, keys, wanted.substr(0, equals), wanted.substr(equals + 1));
  return {.activation = find_activation(groups, wanted, usual), .key = 0, .value = {}};
}

const RunGroup* partner_of(const RunGroup& group, const std::vector<RunGroup>& groups,
                           const Baseline& baseline, std::optional<std::size_t> chosen) {
  for (const RunGroup& other : groups) {
    std::vector<std::string> values = group.values;
    if (chosen) values[*chosen] = other.values[*chosen];
    if (baseline.by_value()) values[baseline.key] = baseline.value;
    const bool right_activation = !baseline.by_value() || other.activation == group.activation;
    if (baseline.holds(other) && right_activation && other.values == values) return &other;
  }
  return nullptr;
}

}  // namespace actlab
