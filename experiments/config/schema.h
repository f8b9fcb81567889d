// What an experiment file may say: the keys of its own and the options of the components that it names.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "experiments/config/experiment.h"
#include "framework/core/component.h"
#include "framework/core/options.h"

namespace actlab {

/// A component as an experiment file sees it.
struct ComponentSchema {
  std::string name;
  std::string summary;
  std::vector<Option> options;
};

template <class Type>
std::vector<ComponentSchema> schemas_of(const std::vector<Type>& components) {
  std::vector<ComponentSchema> schemas;
  for (const auto& component : components)
    schemas.push_back({component.name, component.summary, component.options});
  return schemas;
}

/// All that can be named: `Schemas{schemas_of(model_types()), schemas_of(dataset_types()), ...}`.
struct Schemas {
  std::vector<ComponentSchema> models;
  std::vector<ComponentSchema> datasets;
  std::vector<ComponentSchema> optimizers;
  std::vector<ComponentSchema> schedules;
};

/// A key of experiment files that belongs to no component, and the field that it fills.
struct ExperimentKey {
  using Field = std::variant<bool*, std::int64_t*, double*, std::string*>;

  std::string section;  ///< "" at the top level
  Option option;
  Field (*field)(Experiment&);

  std::string path() const { return section.empty() ? option.name : section + "." + option.name; }
};

const std::vector<ExperimentKey>& experiment_keys();

OptionValue read_field(const ExperimentKey& key, const Experiment& experiment);
void write_field(const ExperimentKey& key, Experiment& experiment, const OptionValue& value);

/// A section whose options are those of the component that its `name` names.
struct ComponentSection {
  std::string section;
  std::string kind;  ///< for messages: "data set"
  ComponentChoice Experiment::*choice;
  std::vector<ComponentSchema> Schemas::*schemas;
};

const std::vector<ComponentSection>& component_sections();

/// Throws Error where a component's option has the name of a key of its section: neither could then be told
/// from the other.
void check_options(const Schemas& schemas);

}  // namespace actlab
