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
};

/// Trains from the folder's newest checkpoint, or from the start, and writes down what becomes of it.
void run(Job job, JobObserver& observer);

}  // namespace actlab
