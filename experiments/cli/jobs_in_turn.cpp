// Runs jobs in this process.
#include "experiments/cli/jobs.h"
#include "experiments/cli/log.h"
#include "experiments/cli/progress.h"
#include "experiments/runner/stop.h"
#include "kernels/error.h"

namespace actlab {

JobsRun run_in_turn(const JobsToRun& jobs, DataSets& data, Display& display) {
  JobsRun run;
  for (std::size_t i = 0; i < jobs.experiments.size() && stop_signal() == 0; ++i) {
    JobProgress progress(display, i, jobs.names[i]);
    try {
      run.folders.push_back(run_job(jobs.experiments[i], data, progress, jobs.rerun));
    } catch (const Error& error) {
      run.failed = true;
      log(LogLevel::error, concat(jobs.names[i], jobs.names[i].empty() ? "" : ": ", error.what()));
    }
  }
  return run;
}

}  // namespace actlab
