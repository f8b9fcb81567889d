// Expands sweeps.
#include "experiments/config/config.h"

#include <algorithm>
#include <set>

#include "experiments/config/resolve.h"
#include "experiments/config/setting.h"
#include "experiments/config/unknown_key.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::size_t most_experiments = 10000;

// Every combination of one value an axis, the first axis slowest.
std::vector<std::vector<Setting>> combinations(const std::vector<Axis>& axes, const std::string& file) {
  std::vector<std::vector<Setting>> all(1);
  for (const auto& axis : axes) {
    if (all.size() * axis.values.size() > most_experiments)
      throw ConfigError(concat(file, ": the sweep has more than ", most_experiments, " experiments"));
    std::vector<std::vector<Setting>> longer;
    for (const auto& combination : all) {
      for (const auto& value : axis.values) {
        longer.push_back(combination);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

Settings read_settings(const std::filesystem::path& file, const std::vector<std::string>& arguments) {
  Settings given = read_with_bases(file);
  check_sections(given);
  add_arguments(arguments, given);
  return given;
}

std::vector<Experiment> load_experiment(const std::filesystem::path& file,
                                        const std::vector<std::string>& arguments, const Schemas& schemas) {
  const Settings given = read_settings(file, arguments);
  std::vector<Experiment> experiments;
  std::set<std::string> seen;
  for (const auto& combination : combinations(given.axes, file.string())) {
    auto settings = given.settings;
    settings.insert(settings.end(), combination.begin(), combination.end());
    auto experiment = resolve(settings, schemas);
    if (seen.insert(to_toml(experiment)).second) experiments.push_back(std::move(experiment));
  }
  return experiments;
}

}  // namespace actlab
