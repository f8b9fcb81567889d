// One job: trains an experiment into a run folder and sums it up.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/config/experiment.h"
#include "experiments/results/run_folder.h"
#include "experiments/runner/build.h"
#include "framework/train/trainer.h"

namespace actlab {

struct JobStart {
  const Experiment& experiment;
  const DataSpec& data;
  std::filesystem::path folder;
};

/// Told what happens in a job, beside what the trainer tells.
class JobObserver : public TrainObserver {
 public:
  virtual void on_start(const JobStart& /*start*/) {}
  /// The job goes on after this step.
  virtual void on_resume(std::int64_t /*step*/) {}
  /// The job is not run: in that folder it was done before, or failed, or another process runs it now.
  virtual void on_skip(const Experiment& /*experiment*/, const std::filesystem::path& /*folder*/,
                       RunStatus /*status*/) {}
  virtual void on_warning(const std::string& /*text*/) {}
  virtual void on_finish(const RunSummary& /*summary*/) {}
};

/// Throws what the experiment could fail of before its first step: data that is missing, a model that does
/// not fit it, a batch that is too large, a device that is not there.
void check_job(const Experiment& experiment, DataSets& data);

/// Throws DataError where there is nothing to score.
void check_test_split(const Dataset& data);

/// What becomes of a job that was run before. What is done stays; what was interrupted goes on.
enum class Rerun : std::uint8_t {
  missing,  ///< what failed or diverged stays too
  failed,   ///< that goes on from its newest checkpoint
  all,      ///< everything is run anew, in a folder of its own
};

/// What run_job would do with a job, and the run that it would be about.
enum class Intention : std::uint8_t { begin, go_on, leave };
struct JobStanding {
  Intention intention = Intention::begin;
  std::string id;
  std::optional<StoredRun> run = {};
};
JobStanding standing_of(const Experiment& experiment, DataSets& data, Rerun rerun);

/// Trains, and returns the run's folder. A run that diverges or fails on the way keeps its folder and says so
/// in its summary; Error is thrown only where the data cannot be opened or no folder can be made.
std::filesystem::path run_job(const Experiment& experiment, DataSets& data, JobObserver& observer,
                              Rerun rerun = Rerun::missing);

/// Goes on with a run that was interrupted, failed or diverged, from its newest checkpoint, to the bits of an
/// uninterrupted one. Throws ConfigError for one that is done or is being run, and where program, settings or
/// data are no longer those that it began with.
void resume_run(const std::filesystem::path& run, DataSets& data, JobObserver& observer);

/// "cat, dog": names of the labels 0, 1, ..., as a run's environment.json has them ("classes"); empty for
/// text.
std::string class_list(const Dataset& data);

}  // namespace actlab
