// What all verbs have.
#include "experiments/cli/grammar.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "experiments/cli/log.h"
#include "experiments/results/table.h"
#include "kernels/error.h"

namespace actlab {

void take_one_of(CLI::Option& option, const std::string& kind, const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ",") + name;
  option.check(CLI::Validator(
      [kind, names](const std::string& given) {
        const bool known = std::find(names.begin(), names.end(), given) != names.end();
        return known ? "" : concat("unknown ", kind, " '", given, "'", nearest_names(given, names));
      },
      "{" + all + "}"));
}

CLI::App* add_verb(CLI::App& parent, const std::string& name, const std::string& help,
                   const std::string& examples, std::string& format, std::function<void()> named) {
  CLI::App* app = parent.add_subcommand(name, help);
  app->footer("Examples:\n" + examples);
  app->callback(std::move(named));
  CLI::Option* option = app->add_option("--format", format, "how the result is printed")->type_name("FORMAT");
  take_one_of(*option, "format", table_format_names());
  option->capture_default_str();
  CLI::Option* level = app->add_option_function<std::string>(
      "--log-level", [](const std::string& given) { set_log_level(parse_log_level(given)); },
      "the least that standard error shows of the log; info without it");
  take_one_of(*level->type_name("LEVEL"), "log level", log_level_names());
  return app;
}

}  // namespace actlab
