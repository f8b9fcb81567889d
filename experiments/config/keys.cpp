// Gathers the keys from the schemas and the registry of activations.
#include "experiments/config/keys.h"

#include <algorithm>
#include <charconv>

#include "experiments/config/setting.h"
#include "kernels/error.h"

namespace actlab {

namespace {

// 0.01 of the float that is nearest to it, which as a double is 0.009999999776482582.
double shortest_decimal(double value) {
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), static_cast<float>(value)).ptr;
  std::from_chars(text, end, value);
  return value;
}

}  // namespace

Option parameter_option(const ParameterInfo& info) {
  return {.name = std::string(info.name),
          .fallback = shortest_decimal(info.value),
          .least = info.least,
          .most = info.most};
}

std::vector<FileKey> file_keys(const Schemas& schemas) {
  std::vector<FileKey> keys;
  for (const std::string& section : section_names()) {
    for (const ExperimentKey& key : experiment_keys())
      if (key.section == section) keys.push_back({section, "", key.option});
    if (section.empty()) keys.push_back({"", "", base_option()});
    for (const ComponentSection& part : component_sections())
      if (part.section == section)
        for (const ComponentSchema& component : schemas.*part.schemas)
          for (const Option& option : component.options) keys.push_back({section, component.name, option});
  }
  for (const ActivationType& type : activation_types())
    for (const ParameterInfo& info : type.parameters)
      keys.push_back({concat("activation.", type.info.name), "", parameter_option(info)});
  return keys;
}

std::vector<std::string> section_names() {
  std::vector<std::string> names;
  for (const ExperimentKey& key : experiment_keys())
    if (std::find(names.begin(), names.end(), key.section) == names.end()) names.push_back(key.section);
  names.insert(names.end(), {"activation", "sweep"});
  return names;
}

}  // namespace actlab
