// The arguments of the verbs, by group; each leaves the verb that was named as an action.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace actlab {

/// The verb that was named, ready to run; returns the exit code.
using Action = std::function<int()>;

void add_training_verbs(CLI::App& app, Action& action);
void add_inspecting_verbs(CLI::App& app, Action& action);
void add_curves_verbs(CLI::App& app, Action& action);
void add_bench_verbs(CLI::App& app, Action& action);
void add_data_verbs(CLI::App& app, Action& action);
void add_completion_verbs(CLI::App& app, Action& action);

/// Lets an option take these names only: they stand in the help and complete it; others are refused with the
/// nearest.
void take_one_of(CLI::Option& option, const std::string& kind, const std::vector<std::string>& names);

/// A verb with `--format` and with examples at the end of its help; `named` is called where the command line
/// names it.
CLI::App* add_verb(CLI::App& parent, const std::string& name, const std::string& help,
                   const std::string& examples, std::string& format, std::function<void()> named);

/// The same for a function of its arguments, which are kept.
template <class Arguments>
std::pair<CLI::App*, std::shared_ptr<Arguments>> add_verb(CLI::App& parent, Action& action,
                                                          const std::string& name, const std::string& help,
                                                          const std::string& examples,
                                                          int (*verb)(const Arguments&)) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* app = add_verb(parent, name, help, examples, arguments->format, [&action, arguments, verb] {
    action = [arguments, verb] { return verb(*arguments); };
  });
  return {app, arguments};
}

}  // namespace actlab
