// Runs jobs in this process.
#include "experiments/cli/jobs.h"
#include "experiments/cli/progress.h"
#include "experiments/runner/stop.h"

namespace actlab {

std::vector<std::filesystem::path> run_in_turn(const JobsToRun& jobs, DataSets& data, Display& display) {
  std::vector<std::filesystem::path> folders;
  for (std::size_t i = 0; i < jobs.experiments.size() && stop_signal() == 0; ++i) {
    JobProgress progress(display, i, jobs.names[i]);
    folders.push_back(run_job(jobs.experiments[i], data, progress, jobs.rerun));
  }
  return folders;
}

}  // namespace actlab
