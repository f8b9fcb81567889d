// Writes a resolved experiment and names it.
#include "experiments/config/experiment.h"

#include <map>
#include <set>

#include "experiments/config/schema.h"
#include "framework/core/sha256.h"

namespace actlab {

std::vector<KeyValue> values_of(const Experiment& experiment) {
  std::vector<KeyValue> values;
  const auto add_options = [&](const std::string& section) {
    for (const auto& component : component_sections()) {
      if (component.section != section) continue;
      const auto& options = (experiment.*component.choice).options;
      for (const auto& option : options.declared())
        values.push_back({section, option.name, options.value(option.name)});
    }
  };

  std::string section;
  for (const auto& key : experiment_keys()) {
    if (key.section != section) add_options(section);
    section = key.section;
    values.push_back({section, key.option.name, read_field(key, experiment)});
  }
  add_options(section);
  return values;
}

std::string to_toml(const Experiment& experiment) {
  std::string text, section;
  for (const auto& [where, name, value] : values_of(experiment)) {
    if (where != section) text += "\n[" + where + "]\n";
    section = where;
    text += name + " = " + to_literal(value) + "\n";
  }
  return text;
}

std::optional<OptionValue> value_of(const Experiment& experiment, std::string_view path) {
  for (const KeyValue& key : values_of(experiment))
    if (key.path() == path) return key.value;
  return std::nullopt;
}

std::vector<std::string> swept_keys(const std::vector<Experiment>& experiments) {
  std::vector<std::string> keys;
  std::map<std::string, std::pair<std::set<std::string>, std::size_t>> seen;  // values, and how often there
  for (const auto& experiment : experiments)
    for (const KeyValue& key : values_of(experiment)) {
      auto& [values, count] = seen[key.path()];
      if (count == 0) keys.push_back(key.path());
      values.insert(to_literal(key.value));
      ++count;
    }
  std::erase_if(keys, [&](const std::string& key) {
    const auto& [values, count] = seen[key];
    return key == "model.activation" || key == "seed" || (values.size() == 1 && count == experiments.size());
  });
  return keys;
}

std::string job_name(const Experiment& experiment, const std::vector<std::string>& keys) {
  std::string name = experiment.activation + " seed " + std::to_string(experiment.seed);
  for (const auto& key : keys)
    if (const auto value = value_of(experiment, key))
      name += " " + key.substr(key.rfind('.') + 1) + "=" + to_string(*value);
  return name;
}

std::string run_id(const Experiment& experiment, std::string_view checksums) {
  const Experiment defaults;
  Experiment numbers = experiment;
  numbers.run_root = defaults.run_root;
  numbers.train.checkpoint_every = defaults.train.checkpoint_every;
  return sha256(to_toml(numbers) + std::string(checksums)).substr(0, 8);
}

}  // namespace actlab
