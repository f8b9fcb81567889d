// A job's training, recorded in its run folder.
#pragma once

#include "experiments/runner/job.h"

namespace actlab {

/// What a run is made of; the lock is held until its end.
struct Job {
  const Experiment& experiment;
  const Dataset& data;
  RunFolder folder;
  RunLock lock;
  RunSummary summary;
  std::vector<std::string> warnings = {};  ///< to be told once the run has begun
};

/// Writes a summary that says the run is running.
void begin_summary(const RunFolder& folder, RunSummary& summary);

/// Trains from the folder's newest checkpoint, or from the start, and writes down what becomes of it.
void record_run(Job job, JobObserver& observer);

}  // namespace actlab
