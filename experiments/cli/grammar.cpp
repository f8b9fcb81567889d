// What all verbs have.
#include "experiments/cli/grammar.h"

#include <CLI/CLI.hpp>

#include "experiments/results/table.h"

namespace actlab {

CLI::App* add_verb(CLI::App& parent, const std::string& name, const std::string& help,
                   const std::string& examples, std::string& format, std::function<void()> named) {
  CLI::App* app = parent.add_subcommand(name, help);
  app->footer("Examples:\n" + examples);
  app->callback(std::move(named));
  app->add_option("--format", format, "how the result is printed")
      ->check(CLI::IsMember(table_format_names()))
      ->capture_default_str();
  return app;
}

}  // namespace actlab
