// What the names of components may be: words that experiment files and command lines take without quotes.
#include "framework/core/component.h"

namespace actlab {
namespace {

bool is_snake_case(std::string_view name) {
  const auto letter = [](char c) { return 'a' <= c && c <= 'z'; };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || ('0' <= c && c <= '9') || c == '_';
  });
}

}  // namespace

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
