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
  Rerun rerun = Rerun::missing;
};

/// Runs them in this process until a signal asks for the end; the folders of those that were begun or
/// skipped.
std::vector<std::filesystem::path> run_in_turn(const JobsToRun& jobs, DataSets& data, Display& display);

/// The same, `at_once` of them at a time, each in a process of its own with its share of the cores: with the
/// threads that a file asks for, OMP_NUM_THREADS where that is set, else as many as it has cores.
std::vector<std::filesystem::path> run_at_once(const JobsToRun& jobs, std::size_t at_once, Display& display);

}  // namespace actlab
