// Reads the command line, runs a verb, and turns what it throws into one line and an exit code.
#include "experiments/cli/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <new>

#include "experiments/cli/exit_codes.h"
#include "experiments/cli/grammar.h"
#include "experiments/cli/log.h"
#include "experiments/results/table.h"
#include "experiments/runner/environment.h"
#include "kernels/error.h"

namespace actlab {
namespace {

int fail(int code, const std::string& message) {
  std::cerr << "actlab: " << on_one_line(message) << '\n';
  return code;
}

// Help and version go to standard output, and it can be full.
int print_help(const CLI::App& app, const CLI::ParseError& request) {
  app.exit(request);
  return std::cout.flush() ? 0 : fail(exit_failure, "standard output: cannot be written");
}

// An option that a verb does not have, with the nearest that it has; empty where there is none.
std::string explain_option(const CLI::App& verb) {
  for (const std::string& word : verb.remaining()) {
    if (!word.starts_with("-") || word == "--") continue;
    std::vector<std::string> known;
    for (const CLI::Option* option : verb.get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    const std::string name = word.substr(0, word.find('='));
    return concat("unknown option '", name, "'", nearest_names(name, known));
  }
  return "";
}

// What the library says of a verb that it does not know is that one is missing.
std::string explain(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::string message = error.what();
  std::string parent;  // "bench "
  const CLI::App* named = &app;
  auto verbs = app.get_subcommands(nullptr);
  for (int i = 1; i < argc && !verbs.empty() && *argv[i] != '-'; ++i) {
    const std::string word = argv[i];
    std::vector<std::string> known;
    for (const CLI::App* verb : verbs) known.push_back(verb->get_name());
    const auto found = std::find(known.begin(), known.end(), word);
    if (found == known.end()) {
      message = concat("unknown verb '", parent, word, "'", nearest_names(word, known));
      break;
    }
    parent += word + " ";
    named = verbs[static_cast<std::size_t>(found - known.begin())];
    verbs = named->get_subcommands(nullptr);
  }
  if (const std::string option = explain_option(*named); !option.empty()) message = option;
  return concat(message, " (actlab ", parent, "--help shows the usage)");
}

}  // namespace

int cli_main(int argc, char** argv, const std::function<void()>& add) {
  std::signal(SIGPIPE,
              SIG_IGN);  // a reader that goes away, or a full disk, becomes an error with its own message
  std::signal(SIGXFSZ, SIG_IGN);
  start_log();
  Action action;
  CLI::App app("Compares activation functions honestly: trains models with each, and measures.", "actlab");
  app.set_version_flag("--version", "actlab " + program_build());
  app.footer(
      "actlab VERB --help shows a verb's arguments.\n\nExamples:\n  actlab run "
      "experiments/configs/quickstart.toml\n"
      "  actlab probe gelu --x=-1,0,1");
  app.require_subcommand(1);
  add_training_verbs(app, action);
  add_inspecting_verbs(app, action);
  add_curves_verbs(app, action);
  add_bench_verbs(app, action);
  add_data_verbs(app, action);
  add_completion_verbs(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return e.get_exit_code() == 0 ? print_help(app, e) : fail(exit_usage, explain(app, e, argc, argv));
  }
  try {
    if (add) add();
    return action();
  } catch (const ConfigError& e) {
    return fail(exit_usage, e.what());
  } catch (const DataError& e) {
    return fail(exit_data, e.what());
  } catch (const std::filesystem::filesystem_error& e) {
    return fail(exit_failure, concat(e.path1().string(), ": ", e.code().message()));
  } catch (const std::bad_alloc&) {
    return fail(exit_failure, "out of memory; use a smaller batch or set");
  } catch (const std::exception& e) {
    return fail(exit_failure, e.what());
  }
}

}  // namespace actlab
