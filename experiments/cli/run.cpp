// actlab run, resume: training and its results.
#include <algorithm>

#include "experiments/cli/exit_codes.h"
#include "experiments/cli/jobs.h"
#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/plan.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/verbs.h"
#include "experiments/config/config.h"
#include "experiments/results/comparison.h"
#include "experiments/runner/device.h"
#include "experiments/runner/precision.h"
#include "experiments/runner/stop.h"
#include "experiments/runner/trace.h"

namespace actlab {
namespace {

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

void print_comparison(const std::vector<StoredRun>& runs, const std::string& format) {
  const Comparison comparison = compare_runs(runs);
  for (const std::string& note : comparison.notes) log_info(note);
  print(to_table(comparison), format);
}

// "[2/10] gelu seed 0": its place in the whole sweep stands before each job's name.
std::vector<std::string> names_of(const std::vector<Experiment>& experiments,
                                  const std::vector<std::string>& keys) {
  std::vector<std::string> names;
  for (const Experiment& experiment : experiments)
    names.push_back(concat("[", names.size() + 1, "/", experiments.size(), "] ", job_name(experiment, keys)));
  return names;
}

JobsToRun chosen_jobs(std::vector<Experiment> experiments, const RunArguments& arguments) {
  JobsToRun jobs{std::move(experiments), {}, {}, Rerun::missing};
  jobs.keys = swept_keys(jobs.experiments);
  jobs.names = names_of(jobs.experiments, jobs.keys);
  if (arguments.retry) jobs.rerun = Rerun::failed;
  if (arguments.force) jobs.rerun = Rerun::all;
  if (!arguments.index) return jobs;
  const auto index = static_cast<std::size_t>(*arguments.index);
  if (index >= jobs.experiments.size())
    throw ConfigError(concat("--index ", index, ": ", arguments.config, " describes the jobs 0 to ",
                             jobs.experiments.size() - 1));
  return {{jobs.experiments[index]}, {jobs.names[index]}, jobs.keys, jobs.rerun};
}

int stopped(std::size_t done, const JobsToRun& jobs, bool watched) {
  if (!watched)
    log_warning(concat("stopped by signal ", stop_signal(), " with ", done, " of ", jobs.experiments.size(),
                       " jobs done; ",
                       jobs.rerun == Rerun::all ? "actlab resume RUN goes on with one that stopped"
                                                : "the same command goes on where it stopped"));
  return 128 + stop_signal();
}

}  // namespace

int run_verb(const RunArguments& arguments) {
  if (arguments.print_config) return print_config(arguments);
  parse_table_format(arguments.format);
  const bool watched = arguments.progress == "json";
  if (watched) log_as_json();
  std::vector<Experiment> experiments =
      with_usable_device(load_experiment(arguments.config, arguments.settings, known_schemas()), log_info);
  if (arguments.trace) return trace_job(experiments, arguments);
  JobsToRun jobs = chosen_jobs(with_usable_precision(experiments, log_warning), arguments);
  // Who watches the process of one job knows what it runs.
  if (watched && jobs.names.size() == 1) jobs.names = {""};
  if (arguments.plan) return write_plan(jobs, arguments);
  DataSets data(log_info);
  for (const Experiment& experiment : jobs.experiments) check_job(experiment, data);
  if (arguments.dry_run) return print_dry_run(jobs, data, arguments);
  for (const Experiment& experiment : jobs.experiments) RunFolder::prepare(experiment);
  catch_stop_signals();

  const auto display = make_display(arguments.progress, jobs.experiments.size());
  const auto at_once = static_cast<std::size_t>(arguments.jobs);
  const JobsRun outcome = at_once > 1 && jobs.experiments.size() > 1 ? run_at_once(jobs, at_once, *display)
                                                                     : run_in_turn(jobs, data, *display);

  // Rows in the order of the jobs, whatever their folders are called.
  std::vector<StoredRun> runs;
  for (const std::filesystem::path& folder : outcome.folders) {
    FoundRuns found = find_runs({folder});
    for (const std::string& message : found.messages) log_warning(message);
    std::move(found.runs.begin(), found.runs.end(), std::back_inserter(runs));
  }
  const auto done = static_cast<std::size_t>(std::count_if(
      runs.begin(), runs.end(), [](const StoredRun& run) { return run.summary.status == RunStatus::done; }));
  if (stop_signal() != 0) return stopped(done, jobs, watched);
  if (!runs.empty()) print_comparison(runs, arguments.format);
  if (outcome.failed) return exit_failure;
  return done == jobs.experiments.size() ? 0 : exit_some_failed;
}

int resume_verb(const ResumeArguments& arguments) {
  parse_table_format(arguments.format);
  if (!arguments.settings.empty())
    throw ConfigError(
        concat("resume: takes no settings, found '", arguments.settings.front(), "': ", arguments.run,
               "/config.toml says what is trained, to the end; for another ", "experiment: actlab run ",
               arguments.run, "/config.toml ", arguments.settings.front()));
  catch_stop_signals();
  DataSets data(log_info);
  const auto display = make_display(arguments.progress, 1);
  JobProgress progress(*display, 0, "");
  resume_run(arguments.run, data, progress);
  const FoundRuns found = find_runs({arguments.run});
  if (stop_signal() != 0) {
    log_warning(concat("stopped by signal ", stop_signal(), "; actlab resume ", arguments.run, " goes on"));
    return 128 + stop_signal();
  }
  print_comparison(found.runs, arguments.format);
  return found.runs.front().summary.status == RunStatus::done ? 0 : exit_some_failed;
}

}  // namespace actlab
