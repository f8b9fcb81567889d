// Plans for schedulers of clusters, and tables for people.
#include "experiments/cli/plan.h"

#include <map>

#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/terminal_line.h"
#include "experiments/runner/estimate.h"
#include "framework/core/files.h"

namespace actlab {
namespace {

// As a POSIX shell reads it.
std::string quoted(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

// The settings of the command line, then what the sweep has chosen.
std::string arguments_of(const Experiment& experiment, const std::vector<std::string>& keys,
                         const RunArguments& arguments) {
  std::string line = quoted(arguments.config);
  for (const std::string& setting : arguments.settings) line += " " + quoted(setting);
  line += " " + quoted("activation=" + experiment.activation) + concat(" seed=", experiment.seed);
  for (const std::string& key : keys)
    if (const auto value = value_of(experiment, key)) line += " " + quoted(key + "=" + to_string(*value));
  return line + "\n";
}

std::string_view intention_of(Intention intention) {
  switch (intention) {
    case Intention::begin:
      return "to do";
    case Intention::go_on:
      return "goes on";
    case Intention::leave:
      return "stays";
  }
  return "";
}

}  // namespace

int write_plan(const JobsToRun& jobs, const RunArguments& arguments) {
  std::string text;
  for (const Experiment& experiment : jobs.experiments)
    text += arguments_of(experiment, jobs.keys, arguments);
  write_file_atomically(*arguments.plan, text);
  print({{"plan", *arguments.plan}, {"jobs", std::ssize(jobs.experiments)}}, {{"plan"}, {"jobs"}},
        arguments.format);
  return 0;
}

int print_dry_run(const JobsToRun& jobs, DataSets& data, const RunArguments& arguments) {
  Table table{{{"job"}, {"activation"}, {"seed"}}, {}};
  for (const std::string& key : jobs.keys) table.columns.push_back({key});
  for (const Column& column : {Column{"steps"},
                               {"parameters"},
                               {"activation_bytes", Unit::bytes},
                               {"saved_bytes", Unit::bytes},
                               {"peak_bytes", Unit::bytes},
                               {"step_seconds", Unit::seconds},
                               {"seconds", Unit::seconds},
                               {"state"}})
    table.columns.push_back(column);

  std::map<std::string, JobEstimate> estimates;  // by all but the seed, which changes neither bytes nor times
  std::int64_t place = 0, to_do = 0;
  double seconds = 0;
  for (Experiment experiment : jobs.experiments) {
    const JobStanding standing = standing_of(experiment, data, jobs.rerun);
    std::vector<Cell> row = {arguments.index.value_or(place++), experiment.activation, experiment.seed};
    for (const std::string& key : jobs.keys) {
      const auto value = value_of(experiment, key);
      row.emplace_back(value ? Cell(to_string(*value)) : Cell());
    }
    experiment.seed = 0;
    const auto [found, missing] = estimates.try_emplace(to_toml(experiment));
    if (missing) found->second = estimate_job(experiment, data);
    const JobEstimate& e = found->second;
    if (standing.intention != Intention::leave) {
      ++to_do;
      seconds += e.seconds;
    }
    const std::string before =
        standing.run ? concat(", ", name_of(standing.run->summary.status), " before") : "";
    row.insert(row.end(), {e.steps, e.parameters, e.activation_bytes, e.saved_bytes, e.peak_bytes,
                           e.step_seconds, e.seconds, concat(intention_of(standing.intention), before)});
    table.rows.push_back(std::move(row));
  }
  print(table, arguments.format);
  log_info(concat(to_do, " of ", jobs.experiments.size(), " jobs to do, about ", clock_text(seconds),
                  " one after the other: by a few steps and forward passes of each, timed now"));
  return 0;
}

}  // namespace actlab
