// One job: trains an experiment into a run folder and sums it up.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/config/experiment.h"
#include "experiments/results/run_record.h"
#include "experiments/runner/build.h"
#include "framework/train/trainer.h"

namespace actlab {

/// Told what happens in a job, beside what the trainer tells.
class JobObserver : public TrainObserver {
 public:
  /// `metric`: what the job's evaluations are judged by.
  virtual void on_start(const Experiment& /*experiment*/, Metric /*metric*/,
                        const std::filesystem::path& /*folder*/) {}
  /// The same job was done before, in that folder: it is not run again.
  virtual void on_skip(const Experiment& /*experiment*/, const std::filesystem::path& /*folder*/) {}
  virtual void on_finish(const RunSummary& /*summary*/) {}
};

/// Throws what the experiment could fail of before its first step: data that is missing, a model that does
/// not fit it, a batch that is too large, a device that is not there.
void check_job(const Experiment& experiment, DataSets& data);

/// Throws DataError where there is nothing to score.
void check_test_split(const Dataset& data);

/// Trains and returns the run's folder. A job that is done is skipped unless `force`. A run that diverges or
/// fails on the way keeps its folder and says so in its summary; Error is thrown only where the data cannot
/// be opened or no folder can be made.
std::filesystem::path run_job(const Experiment& experiment, DataSets& data, JobObserver& observer,
                              bool force);

/// "cat, dog": names of the labels 0, 1, ..., as a run's environment.json has them ("classes"); empty for
/// text.
std::string class_list(const Dataset& data);

}  // namespace actlab
