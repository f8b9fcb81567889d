// actlab run, compare: training and its results.
#include <algorithm>

#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/verbs.h"
#include "experiments/config/config.h"
#include "experiments/results/comparison.h"
#include "experiments/results/run_folder.h"
#include "experiments/runner/device.h"
#include "experiments/runner/job.h"
#include "experiments/runner/precision.h"
#include "experiments/runner/trace.h"

namespace actlab {
namespace {

constexpr int exit_some_failed = 4;

void print_comparison(const std::vector<StoredRun>& runs, const ComparisonOptions& options,
                      const std::string& format) {
  const Comparison comparison = compare_runs(runs, options);
  for (const std::string& note : comparison.notes) log_info(note);
  print(to_table(comparison), format);
}

int trace_job(const std::vector<Experiment>& experiments, const RunArguments& arguments) {
  if (experiments.size() != 1)
    throw ConfigError(concat("--trace takes one job, ", arguments.config, " describes ", experiments.size(),
                             ": choose one by the arguments activation=NAME seed=NUMBER"));
  const Experiment& experiment = experiments.front();
  if (experiment.precision != "f32")
    throw ConfigError(concat("--trace is held against float64 and takes precision = \"f32\" only, found \"",
                             experiment.precision, "\": pass precision=f32"));
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

}  // namespace

int run_verb(const RunArguments& arguments) {
  if (arguments.print_config) return print_config(arguments);
  parse_table_format(arguments.format);
  std::vector<Experiment> experiments =
      with_usable_device(load_experiment(arguments.config, arguments.settings, known_schemas()), log_info);
  if (arguments.trace) return trace_job(experiments, arguments);
  experiments = with_usable_precision(experiments, log_warning);
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

int compare_verb(const CompareArguments& arguments) {
  parse_table_format(arguments.format);
  ComparisonOptions options{.baseline = arguments.baseline, .metric = {}};
  if (!arguments.metric.empty()) options.metric = parse_metric(arguments.metric);
  const FoundRuns found = find_runs({arguments.folders.begin(), arguments.folders.end()});
  for (const std::string& message : found.messages) log_warning(message);
  if (found.runs.empty() && !found.messages.empty())
    throw DataError(concat("compare: every run there is damaged (", found.messages.size(), ")"));
  print_comparison(found.runs, options, arguments.format);
  return 0;
}

}  // namespace actlab
