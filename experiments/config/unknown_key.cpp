// Looks for what could have been meant by a key that does not exist.
#include "experiments/config/unknown_key.h"

#include <algorithm>

#include "experiments/config/keys.h"
#include "kernels/error.h"

namespace actlab {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// "a, b or c", at most so many.
std::string alternatives(const std::vector<std::string>& names) {
  const std::size_t count = std::min<std::size_t>(names.size(), 3);
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += concat(i == 0 ? "" : i + 1 == count ? " or " : ", ", names[i]);
  return text;
}

// The keys of this name in other sections, and the components of its own section that have it.
struct Elsewhere {
  std::vector<std::string> paths, components;
};

Elsewhere find_elsewhere(const Path& path, const Schemas& schemas) {
  Elsewhere found;
  for (const FileKey& key : file_keys(schemas)) {
    if (key.option.name != path.key) continue;
    if (key.section == path.section) {
      found.components.push_back(key.component);
    } else if (!contains(found.paths, key.path())) {
      found.paths.push_back(key.path());
    }
  }
  return found;
}

// Names that could stand in the section.
std::vector<std::string> known_keys(const std::string& section, const Experiment& experiment) {
  std::vector<std::string> known;
  for (const auto& key : experiment_keys())
    if (key.section == section) known.push_back(key.option.name);
  for (const auto& component : component_sections())
    if (component.section == section)
      for (const auto& name : names_of((experiment.*component.choice).options.declared()))
        known.push_back(name);
  if (!section.empty()) return known;
  known.push_back(base_option().name);
  for (const auto& name : section_names())
    if (!name.empty()) known.push_back(name);
  return known;
}

}  // namespace

Path split_path(const std::string& path) {
  const auto dot = path.find('.');
  if (dot == std::string::npos) return {"", path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

void refuse_key(const Setting& setting, std::string_view key, const std::vector<std::string>& known) {
  throw ConfigError(concat(setting.where, "unknown key '", setting.path, "'", nearest_names(key, known)));
}

void refuse_key(const Setting& setting, const Experiment& experiment, const Schemas& schemas) {
  const Path path = split_path(setting.path);
  const auto sections = section_names();
  if (path.section.empty() && contains(sections, path.key))
    throw ConfigError(concat(setting.where, path.key, ": wanted a section [", path.key, "], found a value"));
  if (setting.path == base_option().name)
    throw ConfigError(concat(setting.where, "base: stands in an experiment file, once"));
  if (!contains(sections, path.section)) refuse_key(setting, path.section, known_keys("", experiment));

  const Elsewhere elsewhere = find_elsewhere(path, schemas);
  for (const auto& part : component_sections())
    if (part.section == path.section && !elsewhere.components.empty())
      throw ConfigError(concat(setting.where, "unknown key '", setting.path, "': is an option of ",
                               alternatives(elsewhere.components), ", and ", part.section, ".name is ",
                               (experiment.*part.choice).name));
  if (!elsewhere.paths.empty())
    throw ConfigError(concat(setting.where, "unknown key '", setting.path,
                             "': ", alternatives(elsewhere.paths), " is meant"));
  refuse_key(setting, path.key, known_keys(path.section, experiment));
}

void check_sections(const Settings& settings) {
  std::vector<std::string> known = section_names();
  std::erase(known, "");
  for (const auto& [name, where] : settings.sections)
    if (!contains(known, name))
      throw ConfigError(concat(where, "unknown section '", name, "'", nearest_names(name, known)));
}

}  // namespace actlab
