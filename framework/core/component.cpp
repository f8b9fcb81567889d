// What a component's names may be.
#include "framework/core/component.h"

#include "kernels/name.h"

namespace actlab {

void check_names(std::string_view kind, std::string_view name, const std::vector<Option>& options) {
  const std::string component = concat(kind, " '", name, "': ");
  constexpr const char* rule = "a name is made of lower-case letters, digits and _, a letter first";
  ACTLAB_CHECK(is_snake_case(name), component, rule);
  std::vector<std::string> seen;
  for (const std::string& option : names_of(options)) {
    ACTLAB_CHECK(is_snake_case(option), component, "option '", option, "': ", rule);
    ACTLAB_CHECK(std::find(seen.begin(), seen.end(), option) == seen.end(), component,
                 "two options are named '", option, "'");
    seen.push_back(option);
  }
}

}  // namespace actlab
