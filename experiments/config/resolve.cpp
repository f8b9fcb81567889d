// Finds the key of each setting, reads its value by the key's type, and fills the experiment.
#include "experiments/config/resolve.h"

#include <algorithm>
#include <map>

#include "experiments/config/keys.h"
#include "experiments/config/unknown_key.h"
#include "kernels/error.h"

namespace actlab {
namespace {

std::string read_name(const Setting& setting) {
  return std::get<std::string>(checked_value(setting, {.name = "name", .fallback = ""}));
}

// The component that the section's last `name` names, with all its defaults.
ComponentChoice choose(const ComponentSection& section, const std::vector<Setting>& settings,
                       const Schemas& schemas, const Experiment& defaults) {
  std::string name = (defaults.*section.choice).name;
  std::string where;
  for (const auto& setting : settings) {
    if (setting.path != section.section + ".name") continue;
    name = read_name(setting);
    where = setting.where;
  }
  std::vector<std::string> known;
  for (const auto& schema : schemas.*section.schemas) {
    if (schema.name == name) return {name, Options(schema.options)};
    known.push_back(schema.name);
  }
  throw ConfigError(concat(where, "unknown ", section.kind, " '", name, "'", nearest_names(name, known)));
}

bool declares(const std::vector<Option>& options, const std::string& name) {
  return std::any_of(options.begin(), options.end(), [&](const Option& o) { return o.name == name; });
}

// The option that a file sets for its own component or that of its base, where a file on top, an argument or
// a sweep names another one that has no such option: it is checked and not used. Null for all other settings.
const Option* replaced_option(const Setting& setting, const std::vector<Setting>& settings,
                              const Schemas& schemas, const Experiment& experiment) {
  const auto [section, key] = split_path(setting.path);
  for (const auto& component : component_sections()) {
    if (setting.layer == 0 || component.section != section) continue;
    if (declares((experiment.*component.choice).options.declared(), key)) return nullptr;
    std::string meant = (Experiment().*component.choice).name;
    for (const auto& other : settings)
      if (other.layer > 0 && other.layer <= setting.layer && other.path == section + ".name")
        meant = read_name(other);
    for (const auto& schema : schemas.*component.schemas)
      for (const auto& option : schema.options)
        if (schema.name == meant && option.name == key) return &option;
  }
  return nullptr;
}

// "elu.alpha" of [activation.elu], as the spelling "elu(alpha=0.5)" has its value; checked whether or not the
// experiment runs that activation.
std::string parameter_text(const Setting& setting, const std::string& key) {
  const auto [name, parameter] = split_path(key);
  if (name.empty())
    throw ConfigError(
        concat(setting.where, setting.path, ": wanted a section [", setting.path, "], found a value"));
  for (const auto& type : activation_types()) {
    if (type.info.name != name) continue;
    std::vector<std::string> known;
    for (const auto& info : type.parameters) {
      known.emplace_back(info.name);
      if (info.name != parameter) continue;
      const std::string* text = text_of(setting);
      if (info.observed && text != nullptr && *text == "observed") return *text;
      return to_string(
          checked_value(setting, parameter_option(info), info.observed ? " or \"observed\"" : ""));
    }
    if (type.learnable() != nullptr) known.emplace_back("learned");
    if (type.learnable() != nullptr && parameter == "learned")
      return to_string(checked_value(
          setting, {.name = parameter, .fallback = "fixed", .choices = {"fixed", "layer", "channel"}}));
    refuse_key(setting, parameter, known);
  }
  refuse_key(setting, name, activation_names());
}

void apply(const Setting& setting, const Schemas& schemas, Experiment& experiment) {
  const auto [section, name] = split_path(setting.path);
  for (const auto& key : experiment_keys()) {
    if (key.section != section || key.option.name != name) continue;
    write_field(key, experiment, checked_value(setting, key.option));
    return;
  }
  for (const auto& component : component_sections()) {
    if (component.section != section) continue;
    Options& options = (experiment.*component.choice).options;
    for (const auto& option : options.declared()) {
      if (option.name != name) continue;
      options.set(name, checked_value(setting, option));
      return;
    }
  }
  refuse_key(setting, experiment, schemas);
}

// Whether "elu(alpha=0.3)" gives `parameter` a value itself.
bool spells(std::string_view activation, std::string_view parameter) {
  const auto open = activation.find('(');
  if (open == std::string_view::npos) return false;
  for (auto rest = activation.substr(open + 1); !rest.empty();) {
    const auto comma = std::min(rest.find(','), rest.size());
    auto name = rest.substr(0, std::min(rest.find('='), comma));
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (name == parameter) return true;
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return false;
}

ActivationHandle parse_activation(const std::string& text, const std::vector<Setting>& settings) {
  try {
    return ActivationHandle::parse(text);
  } catch (const ConfigError& error) {
    std::string where;
    for (const auto& setting : settings)
      if (setting.path == "model.activation") where = setting.where;
    throw ConfigError(where + error.what());
  }
}

// "elu(alpha=0.5)" of "elu" and the values that are given beside its own.
std::string spell_out(const std::string& text, const std::map<std::string, std::string>& given) {
  const auto open = std::min(text.find('('), text.size()), close = std::min(text.rfind(')'), text.size());
  std::string inner = open < close ? text.substr(open + 1, close - open - 1) : "";
  for (const auto& [parameter, value] : given)
    inner += concat(inner.find_first_not_of(' ') == inner.npos ? "" : ", ", parameter, "=", value);
  return text.substr(0, open) + "(" + inner + ")";
}

// The activation with the parameters that its section sets, spelled out.
std::string resolve_activation(const std::string& text, const std::vector<Setting>& settings) {
  parse_activation(text, settings);
  std::map<std::string, std::string> given;
  for (const auto& setting : settings) {
    const auto [section, key] = split_path(setting.path);
    if (section != "activation") continue;
    const std::string value = parameter_text(setting, key);
    if (sets_parameter_of(text, setting)) given[split_path(key).key] = value;
  }
  return parse_activation(spell_out(text, given), settings).spelled();
}

void check_target(const Experiment::Train& train) {
  if (train.target > 0 && train.target_loss > 0)
    throw ConfigError(concat("train.target = ", to_string(train.target),
                             ", train.target_loss = ", to_string(train.target_loss),
                             ": one of them says what counts as converged; leave the other at 0"));
}

}  // namespace

OptionValue checked_value(const Setting& setting, const Option& option, std::string_view or_else) {
  std::optional<OptionValue> value;
  std::string found;
  if (const auto* unread = std::get_if<Unread>(&setting.value)) {
    value = option.read(unread->text);
    found = unread->text;
  } else if (const auto* unfit = std::get_if<Unfit>(&setting.value)) {
    found = unfit->text;
  } else {
    const auto& given = std::get<OptionValue>(setting.value);
    value = option.accept(given);
    found = to_literal(given);
  }
  if (!value)
    throw ConfigError(
        concat(setting.where, setting.path, ": wanted ", option.wanted(), or_else, ", found ", found));
  return *value;
}

bool sets_parameter_of(const std::string& activation, const Setting& setting) {
  const auto [section, key] = split_path(setting.path);
  const auto [name, parameter] = split_path(key);
  return section == "activation" && ActivationHandle::parse(activation).info().name == name &&
         !spells(activation, parameter);
}

Experiment resolve(const std::vector<Setting>& settings, const Schemas& schemas) {
  Experiment experiment;
  for (const auto& section : component_sections())
    experiment.*section.choice = choose(section, settings, schemas, experiment);
  for (const auto& setting : settings) {
    if (split_path(setting.path).section == "activation") continue;
    if (const Option* replaced = replaced_option(setting, settings, schemas, experiment))
      checked_value(setting, *replaced);
    else
      apply(setting, schemas, experiment);
  }
  check_target(experiment.train);
  experiment.activation = resolve_activation(experiment.activation, settings);
  return experiment;
}

}  // namespace actlab
