// What a job will take, from a few of its steps.
#pragma once

#include "experiments/runner/build.h"

namespace actlab {

struct JobEstimate {
  std::int64_t steps = 0;  ///< of the whole job
  std::int64_t parameters = 0;
  std::int64_t activation_bytes = 0;
  std::int64_t saved_bytes = 0;
  std::int64_t peak_bytes = 0;
  double step_seconds = 0;  ///< of an update, timed
  double seconds = 0;       ///< of the whole job, its evaluations included
};

/// Trains a few steps of the experiment and keeps nothing.
JobEstimate estimate_job(const Experiment& experiment, DataSets& data);

}  // namespace actlab
