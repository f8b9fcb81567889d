// A component that is built by name: a model, a data set, an optimizer, a schedule. One file declares it; one
// line of its folder's list, or of a program's main(), makes it known.
#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "framework/core/options.h"
#include "kernels/error.h"

namespace actlab {

template <class Signature>
struct Component {
  std::string name;
  std::string summary;
  std::vector<Option> options;
  std::function<Signature> make;
};

/// The one of a name; throws ConfigError with the nearest names.
template <class Named>
const Named& find_component(std::string_view kind, std::string_view name, const std::vector<Named>& all) {
  std::vector<std::string> known;
  for (const auto& component : all) {
    if (component.name == name) return component;
    known.push_back(component.name);
  }
  throw ConfigError(concat("unknown ", kind, " '", name, "'", nearest_names(name, known)));
}

/// Throws Error where the name or an option's is no snake_case word, or two options have the same.
void check_names(std::string_view kind, std::string_view name, const std::vector<Option>& options);

/// Makes `added` one of `all`; throws Error where one has its name, and as check_names.
template <class Named>
void add_component(std::string_view kind, Named added, std::vector<Named>& all) {
  check_names(kind, added.name, added.options);
  for (const auto& component : all)
    ACTLAB_CHECK(component.name != added.name, "two ", kind, "s are named '", added.name,
                 "': give the one that is added another name");
  all.push_back(std::move(added));
}

}  // namespace actlab
