// The jobs of a sweep, run one after the other or several at once.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/cli/display.h"
#include "experiments/runner/job.h"

namespace actlab {

struct JobsToRun {
  std::vector<Experiment> experiments;
  std::vector<std::string> names;  ///< "[2/10] gelu seed 0", as many
  std::vector<std::string> keys;   ///< of the whole sweep, beside activation and seed
  Rerun rerun = Rerun::missing;
};

struct JobsRun {
  std::vector<std::filesystem::path> folders;  ///< of those that were begun or skipped
  bool failed = false;                         ///< one of them could not be begun, as the log says
};

/// Runs them in this process until a signal asks for the end.
JobsRun run_in_turn(const JobsToRun& jobs, DataSets& data, Display& display);

/// The same, `at_once` of them at a time, each in a process of its own with its share of the cores: with the
/// threads that a file asks for, OMP_NUM_THREADS where that is set, else as many as it has cores.
JobsRun run_at_once(const JobsToRun& jobs, std::size_t at_once, Display& display);

}  // namespace actlab
