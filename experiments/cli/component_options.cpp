// Reads key=value settings of one component.
#include "experiments/cli/component_options.h"

#include "framework/core/component.h"

namespace actlab {

Options read_component_options(const std::string& section, const std::vector<Option>& declared,
                               const std::vector<std::string>& settings) {
  Options options(declared);
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos) throw ConfigError(concat("'", setting, "': wanted key=value"));
    const std::size_t begin = setting.starts_with(section + ".") ? section.size() + 1 : 0;
    const std::string name = setting.substr(begin, equals - begin), text = setting.substr(equals + 1);
    const Option& option = find_component("key of [" + section + "]", name, declared);
    const auto value = option.read(text);
    if (!value)
      throw ConfigError(concat(section, ".", name, ": wanted ", option.wanted(), ", found '", text, "'"));
    options.set(name, *value);
  }
  return options;
}

}  // namespace actlab
