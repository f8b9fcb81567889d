// Whether a job is run, goes on or is left as it is.
#include "experiments/runner/job.h"

#include <algorithm>

#include "experiments/config/config.h"
#include "experiments/results/run_folder.h"
#include "experiments/results/table.h"
#include "experiments/runner/environment.h"
#include "experiments/runner/recording.h"
#include "kernels/cpu/threads.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

RunSummary first_summary(const Experiment& experiment, const Dataset& data, const std::string& id) {
  RunSummary summary;
  summary.name = experiment.name;
  summary.activation = experiment.activation;
  summary.precision = experiment.precision;
  summary.seed = experiment.seed;
  summary.id = id;
  summary.version = program_version();
  summary.data = data.checksum;
  summary.metric = metric_of(data.spec());
  summary.target = experiment.train.target;
  summary.target_loss = experiment.train.target_loss;
  if (data.count(SplitName::validation) > 0) summary.selected_by = "validation";
  summary.started = utc_now();
  return summary;
}

Record environment_of(const Experiment& experiment, const Dataset& data) {
  Record record = environment(backend_of(experiment));
  if (const std::string classes = class_list(data); !classes.empty()) record.emplace_back("classes", classes);
  return record;
}

// A new run that is locked and says that it is running, ready to be trained.
Job new_job(const Experiment& experiment, const Dataset& data, const std::string& id) {
  const RunFolder folder = RunFolder::create(experiment, id);
  auto lock = RunLock::take(folder.path());
  ACTLAB_CHECK(lock, folder.path().string(), ": another process has locked it");
  use_threads(static_cast<int>(experiment.threads));
  folder.write_environment(environment_of(experiment, data));
  for (const auto& [name, content] : data.files()) folder.write(name, content);
  Job job{experiment, data, folder, std::move(*lock), first_summary(experiment, data, id)};
  begin_summary(folder, job.summary);
  return job;
}

// Where the run goes on elsewhere than it began; how many cores there are changes nothing.
std::vector<std::string> differences(const Record& before, const Record& now) {
  std::vector<std::string> warnings;
  for (const auto& [name, cell] : now)
    if (const Cell* other = find_cell(before, name); other != nullptr && *other != cell && name != "cores")
      warnings.push_back(concat("the run began with ", name, " ", readable(*other, Unit::plain),
                                ", now it is ", readable(cell, Unit::plain),
                                ": its last bits may depend on that"));
  return warnings;
}

// Goes on with a run that is locked now; false where another process has finished it meanwhile.
bool go_on(const Experiment& experiment, const Dataset& data, const fs::path& run, RunLock lock,
           JobObserver& observer) {
  const RunFolder folder(run);
  RunSummary summary = folder.summary();
  if (summary.status == RunStatus::done) return false;
  use_threads(static_cast<int>(experiment.threads));
  begin_summary(folder, summary);
  std::vector<std::string> warnings;
  try {
    warnings = differences(folder.environment(), environment_of(experiment, data));
  } catch (const Error& error) {
    warnings = {error.what()};
  }
  record_run({experiment, data, folder, std::move(lock), std::move(summary), std::move(warnings)}, observer);
  return true;
}

// Says why a run is no longer the job that it began as.
[[noreturn]] void refuse_changed(const StoredRun& stored, const Dataset& data) {
  const std::string run = stored.folder.string();
  const std::string remedy = concat("; to train anew: actlab run ", (stored.folder / "config.toml").string());
  Record before;
  try {
    before = RunFolder(stored.folder).environment();
  } catch (const Error&) {
    // Damaged, it cannot say.
  }
  const Cell* program = find_cell(before, "program_sha256");
  if (program != nullptr && *program != Cell(program_checksum()))
    throw ConfigError(concat(run, ": was begun by another build of the program, ", program_build(),
                             " would not go on to the same bits", remedy));
  if (stored.summary.data != data.checksum)
    throw ConfigError(concat(run, ": the data are not those that it began with", remedy));
  throw ConfigError(concat(run, ": its config.toml is not that which it began with", remedy));
}

}  // namespace

std::string class_list(const Dataset& data) {
  std::string text;
  for (const std::string& name : data.classes()) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void check_test_split(const Dataset& data) {
  if (data.count(SplitName::test) > 0) return;
  throw DataError(
      concat(data.origin, ": the test split is empty, there is nothing to score: ",
             std::holds_alternative<TextSpec>(data.spec()) ? "set data.test above 0" : "add its images"));
}

void check_job(const Experiment& experiment, DataSets& data) {
  use_threads(static_cast<int>(experiment.threads));  // the check starts no more than the job does
  const Dataset& set = data.of(experiment);
  build_optimizer(experiment, *build_model(experiment, set.spec()));
  const TrainSettings settings = train_settings(experiment);
  build_schedule(experiment, total_steps(settings, set));
  set.loader(SplitName::train, {.batch = settings.batch, .training = true, .augment = settings.augment});
  check_test_split(set);
  for (const SplitName split : {SplitName::validation, SplitName::test})
    if (set.count(split) > 0) set.loader(split, {.batch = 1});
  settings.micro_batch();
  backend_of(experiment).memory.trim();  // of which jobs in processes of their own have need
}

JobStanding standing_of(const Experiment& experiment, DataSets& data, Rerun rerun) {
  JobStanding standing{.id = run_id(experiment, program_checksum() + data.of(experiment).checksum)};
  if (rerun == Rerun::all) return standing;
  const auto runs = runs_of_job(experiment.run_root, standing.id);
  if (runs.empty()) return standing;
  const auto done = std::find_if(runs.begin(), runs.end(),
                                 [](const StoredRun& run) { return run.summary.status == RunStatus::done; });
  standing.run = done != runs.end() ? *done : runs.front();
  const RunStatus status = standing.run->summary.status;
  const bool failed = status == RunStatus::failed || status == RunStatus::diverged;
  const bool goes_on = status == RunStatus::interrupted || (failed && rerun == Rerun::failed);
  standing.intention = goes_on ? Intention::go_on : Intention::leave;
  return standing;
}

fs::path run_job(const Experiment& experiment, DataSets& data, JobObserver& observer, Rerun rerun) {
  const Dataset& set = data.of(experiment);
  // Another process that is given the same job waits here, and then sees that it is running.
  std::optional<RunLock> deciding = RunLock::wait(RunFolder::prepare(experiment));
  const JobStanding standing = standing_of(experiment, data, rerun);
  if (standing.intention == Intention::begin) {
    Job job = new_job(experiment, set, standing.id);
    deciding.reset();
    const fs::path path = job.folder.path();
    record_run(std::move(job), observer);
    return path;
  }
  deciding.reset();
  const fs::path& run = standing.run->folder;
  RunStatus status = standing.run->summary.status;
  if (standing.intention == Intention::go_on) {
    auto lock = RunLock::take(run);
    if (lock && go_on(experiment, set, run, std::move(*lock), observer)) return run;
    status = lock ? RunStatus::done : RunStatus::running;
  }
  observer.on_skip(experiment, run, status);
  return run;
}

void resume_run(const fs::path& run, DataSets& data, JobObserver& observer) {
  const RunFolder folder(run);
  if (!fs::exists(folder.config()))
    throw ConfigError(concat(run.string(), ": is no run folder, it has no config.toml"));
  const Experiment experiment = load_experiment(folder.config(), {}, known_schemas()).front();
  const FoundRuns found = find_runs({run});
  if (found.runs.empty())
    throw DataError(found.messages.empty()
                        ? concat(run.string(),
                                 ": has no summary.json, nothing was trained; to begin: actlab run ",
                                 folder.config().string())
                        : found.messages.front());
  const StoredRun& stored = found.runs.front();
  const auto refuse_done = [&](const RunSummary& summary) {
    throw ConfigError(concat(run.string(), ": is done, after ", summary.steps, " steps"));
  };
  if (stored.summary.status == RunStatus::done) refuse_done(stored.summary);
  const Dataset& set = data.of(experiment);
  if (run_id(experiment, program_checksum() + set.checksum) != stored.summary.id) refuse_changed(stored, set);
  auto lock = RunLock::take(stored.folder);
  if (!lock) throw ConfigError(concat(run.string(), ": another process is running it"));
  if (!go_on(experiment, set, stored.folder, std::move(*lock), observer)) refuse_done(folder.summary());
}

}  // namespace actlab
