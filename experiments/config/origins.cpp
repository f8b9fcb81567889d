// Finds what gave each value of an experiment.
#include <algorithm>

#include "experiments/config/config.h"
#include "experiments/config/resolve.h"
#include "experiments/config/setting.h"

namespace actlab {
namespace {

const std::string activation_key = "model.activation";

// "file.toml:12" of "file.toml:12: ".
std::string origin_at(const std::string& where) {
  return where.empty() ? "default" : where.substr(0, where.size() - 2);
}

const std::string& spelled_by(const Setting& setting) {
  if (const auto* unread = std::get_if<Unread>(&setting.value)) return unread->text;
  return std::get<std::string>(std::get<OptionValue>(setting.value));
}

// The setting that counts, or null.
const Setting* last_of(const std::string& path, const std::vector<Setting>& settings) {
  const auto found = std::find_if(settings.rbegin(), settings.rend(),
                                  [&](const Setting& setting) { return setting.path == path; });
  return found == settings.rend() ? nullptr : &*found;
}

// An activation's value has parameters from settings of their own.
std::string find_origin(const std::string& path, const std::vector<Setting>& settings) {
  const Setting* given = last_of(path, settings);
  std::string origin = origin_at(given == nullptr ? "" : given->where);
  if (path != activation_key) return origin;
  const std::string activation = given == nullptr ? Experiment().activation : spelled_by(*given);
  for (const Setting& setting : settings)
    if (sets_parameter_of(activation, setting) && &setting == last_of(setting.path, settings))
      origin += ", " + origin_at(setting.where);
  return origin;
}

// A swept parameter shows in the activation's spelling.
std::string shown_path(const Axis& axis) {
  return axis.path.starts_with("activation.") ? activation_key : axis.path;
}

std::vector<OptionValue> distinct_values(const std::string& path,
                                         const std::vector<Experiment>& experiments) {
  std::vector<OptionValue> values;
  for (const Experiment& experiment : experiments)
    for (KeyValue& key : values_of(experiment))
      if (key.path() == path && std::find(values.begin(), values.end(), key.value) == values.end())
        values.push_back(std::move(key.value));
  return values;
}

}  // namespace

ConfigOrigins find_origins(const std::filesystem::path& file, const std::vector<std::string>& arguments,
                           const Schemas& schemas) {
  const Settings given = read_settings(file, arguments);
  const std::vector<Experiment> experiments = load_experiment(file, arguments, schemas);
  ConfigOrigins origins{experiments.size(), {}, {}};
  for (const KeyValue& key : values_of(experiments.front()))
    origins.keys.push_back({key.section, key.name, {key.value}, find_origin(key.path(), given.settings)});
  for (const Axis& axis : given.axes) {
    const std::string path = shown_path(axis);
    const auto key = std::find_if(origins.keys.begin(), origins.keys.end(),
                                  [&](const KeyOrigin& swept) { return swept.path() == path; });
    const auto index = static_cast<std::size_t>(key - origins.keys.begin());
    const bool again = std::find(origins.swept.begin(), origins.swept.end(), index) != origins.swept.end();
    key->origin = (again ? key->origin + ", " : "") + origin_at(axis.where);
    if (again) continue;
    key->values = distinct_values(path, experiments);
    origins.swept.push_back(index);
  }
  return origins;
}

}  // namespace actlab
