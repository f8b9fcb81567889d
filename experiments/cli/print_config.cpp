// actlab run --print-config: what an experiment file and arguments say, and where.
#include <algorithm>

#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"
#include "experiments/config/config.h"
#include "experiments/runner/build.h"
#include "kernels/error.h"

namespace actlab {
namespace {

std::string list_literal(const std::vector<OptionValue>& values) {
  std::string text;
  for (const OptionValue& value : values) text += (text.empty() ? "[" : ", ") + to_literal(value);
  return text + "]";
}

bool is_swept(const ConfigOrigins& config, const std::string& path) {
  return std::any_of(config.swept.begin(), config.swept.end(),
                     [&](std::size_t index) { return config.keys[index].path() == path; });
}

std::string toml_line(const std::string& name, const std::string& literal, const std::string& comment) {
  constexpr std::size_t comments_at = 32;
  const std::string line = name + " = " + literal;
  const std::string space(line.size() + 2 < comments_at ? comments_at - line.size() : 2, ' ');
  return line + space + "# " + on_one_line(comment) + "\n";
}

// An experiment file that describes the same experiments. Where the component of a section varies its
// defaults do too, and are comments.
std::string to_commented_toml(const ConfigOrigins& config) {
  std::string text, section;
  for (const KeyOrigin& key : config.keys) {
    if (key.section != section) text += "\n[" + key.section + "]\n";
    section = key.section;
    const bool varies = key.origin == "default" && is_swept(config, section + ".name");
    text += toml_line((varies ? "# " : "") + key.name, to_literal(key.values.front()),
                      is_swept(config, key.path()) ? "swept, see below" : key.origin);
  }
  if (config.swept.empty()) return text;
  text += concat("\n[sweep]  # ", config.experiments, " experiments\n");
  for (const std::size_t index : config.swept) {
    const KeyOrigin& key = config.keys[index];
    text += toml_line(key.path(), list_literal(key.values), key.origin);
  }
  return text;
}

Cell cell_of(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return *integer;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return to_string(value);
}

Table to_table(const ConfigOrigins& config) {
  Table table{{{"key"}, {"value"}, {"origin"}}, {}};
  for (const KeyOrigin& key : config.keys)
    table.rows.push_back(
        {key.path(),
         is_swept(config, key.path()) ? Cell(list_literal(key.values)) : cell_of(key.values.front()),
         key.origin});
  return table;
}

}  // namespace

int print_config(const RunArguments& arguments) {
  const TableFormat format = parse_table_format(arguments.format);
  const ConfigOrigins config = find_origins(arguments.config, arguments.settings, known_schemas());
  if (format == TableFormat::table) {
    print(to_commented_toml(config));
  } else {
    print(to_table(config), arguments.format);
  }
  return 0;
}

}  // namespace actlab
