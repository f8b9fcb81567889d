// actlab run, evaluate, compare: training and its results.
#include <algorithm>

#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/verbs.h"
#include "experiments/config/config.h"
#include "experiments/results/comparison.h"
#include "experiments/results/run_folder.h"
#include "experiments/runner/job.h"
#include "experiments/runner/trace.h"
#include "framework/train/checkpoint.h"
#include "framework/train/evaluate.h"
#include "kernels/cpu/threads.h"

namespace actlab {
namespace {

constexpr int exit_some_failed = 4;

void print_comparison(const std::vector<StoredRun>& runs, const std::string& baseline,
                      const std::string& format) {
  const Comparison comparison = compare_runs(runs, baseline);
  for (const std::string& note : comparison.notes) log_info(note);
  print(to_table(comparison), format);
}

int trace_job(const std::vector<Experiment>& experiments, const RunArguments& arguments) {
  if (experiments.size() != 1)
    throw ConfigError(concat("--trace takes one job, ", arguments.config, " describes ", experiments.size(),
                             ": choose one by the arguments activation=NAME seed=NUMBER"));
  const Experiment& experiment = experiments.front();
  DataSets data(log_info);
  check_job(experiment, data);
  const TraceSummary trace = write_trace(experiment, data, *arguments.trace);
  print({{"trace", *arguments.trace},
         {"activation", experiment.activation},
         {"seed", experiment.seed},
         {"samples", trace.samples},
         {"loss", trace.loss},
         {"tensors", trace.tensors}},
        {{"trace"}, {"activation"}, {"seed"}, {"samples"}, {"loss"}, {"tensors"}}, arguments.format);
  return 0;
}

// The stored config has the options of the components that the run was made with, and of no others.
void check_evaluate_settings(const Experiment& trained, const EvaluateArguments& arguments) {
  for (const std::string& setting : arguments.settings) {
    if (setting.starts_with("sweep.")) throw ConfigError("evaluate: takes no sweep");
    for (const ComponentSection& section : component_sections()) {
      const std::string& name = (trained.*section.choice).name;
      const std::string key = section.section + ".name=";
      if (setting.starts_with(key) && setting != key + name)
        throw ConfigError(concat("argument '", setting, "': ", arguments.run, " was made with ", key, name,
                                 ", and evaluate keeps its ", section.kind));
    }
  }
}

// Labels are numbers: as many classes of other names would be scored all the same.
void check_classes(const RunFolder& folder, const Dataset& data) {
  const Record trained = folder.environment();
  const Cell* cell = find_cell(trained, "classes");
  const auto* classes = cell == nullptr ? nullptr : std::get_if<std::string>(cell);
  if (classes != nullptr && *classes != class_list(data))
    throw DataError(concat(data.origin, ": its classes are ", class_list(data), ", and ",
                           folder.path().string(), " was trained with ", *classes,
                           ": pass a data.root=DIR of those"));
}

}  // namespace

int run_verb(const RunArguments& arguments) {
  parse_table_format(arguments.format);
  const std::vector<Experiment> experiments =
      load_experiment(arguments.config, arguments.settings, known_schemas());
  if (arguments.trace) return trace_job(experiments, arguments);
  DataSets data(log_info);
  for (const Experiment& experiment : experiments) check_job(experiment, data);

  JobProgress progress(experiments.size());
  std::vector<std::filesystem::path> folders;
  for (const Experiment& experiment : experiments)
    folders.push_back(run_job(experiment, data, progress, arguments.force));

  // Rows in the order of the jobs, whatever their folders are called.
  std::vector<StoredRun> runs;
  for (const std::filesystem::path& folder : folders) {
    FoundRuns found = find_runs({folder});
    for (const std::string& message : found.messages) log_warning(message);
    std::move(found.runs.begin(), found.runs.end(), std::back_inserter(runs));
  }
  print_comparison(runs, {}, arguments.format);
  const auto done = std::count_if(runs.begin(), runs.end(),
                                  [](const StoredRun& run) { return run.summary.status == RunStatus::done; });
  return done == std::ssize(folders) ? 0 : exit_some_failed;
}

int evaluate_verb(const EvaluateArguments& arguments) {
  const RunFolder folder{std::filesystem::path(arguments.run)};
  if (!std::filesystem::exists(folder.config()))
    throw ConfigError(concat(arguments.run, ": is no run folder, it has no config.toml"));
  const Experiment trained = load_experiment(folder.config(), {}, known_schemas()).front();
  check_evaluate_settings(trained, arguments);
  const Experiment experiment = load_experiment(folder.config(), arguments.settings, known_schemas()).front();
  if (experiment.activation != trained.activation)
    throw ConfigError(concat(arguments.run, ": was trained with ", trained.activation,
                             ", it cannot be evaluated with ", experiment.activation));
  const auto checkpoint = newest_checkpoint(folder.checkpoints(), log_warning);
  ACTLAB_CHECK(checkpoint, folder.checkpoints().string(),
               ": holds no complete checkpoint; run the job again");

  use_threads(static_cast<int>(experiment.threads));
  DataSets sets(log_info);
  const Dataset& data = sets.of(experiment);
  check_classes(folder, data);
  const auto model = build_model(experiment, data.spec());
  const Progress progress = load_checkpoint(*checkpoint, *model, nullptr);
  Record record = {{"run", arguments.run},
                   {"activation", experiment.activation},
                   {"seed", experiment.seed},
                   {"step", progress.step}};
  std::vector<Column> columns = {{"run"}, {"activation"}, {"seed"}, {"step"}};
  const auto add_score = [&](const std::string& prefix, SplitName split) {
    const Score score = evaluate(*model, data, split, experiment.batch, backend_of(experiment));
    record.insert(record.end(), {{prefix + "samples", data.count(split)},
                                 {prefix + "accuracy", score.accuracy},
                                 {prefix + "loss", score.loss}});
    columns.insert(columns.end(),
                   {{prefix + "samples"}, {prefix + "accuracy", Unit::percent}, {prefix + "loss"}});
  };
  add_score("", SplitName::test);
  if (data.count(SplitName::validation) > 0) add_score("validation_", SplitName::validation);
  print(record, columns, arguments.format);
  return 0;
}

int compare_verb(const CompareArguments& arguments) {
  parse_table_format(arguments.format);
  const FoundRuns found = find_runs({arguments.folders.begin(), arguments.folders.end()});
  for (const std::string& message : found.messages) log_warning(message);
  if (found.runs.empty() && !found.messages.empty())
    throw DataError(concat("compare: every run there is damaged (", found.messages.size(), ")"));
  print_comparison(found.runs, arguments.baseline, arguments.format);
  return 0;
}

}  // namespace actlab
