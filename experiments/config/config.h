// From an experiment file and `key=value` arguments to the experiments that they describe.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/config/experiment.h"
#include "experiments/config/schema.h"

namespace actlab {

/// The experiments of a file, its sweep expanded: the first swept key varies slowest. What resolves to the
/// same experiment twice is listed once.
///
/// An argument sets a key ("train.epochs=1", "optimizer.lr=0.05", "activation=gelu") and ends the file's
/// sweep of that key; "sweep.seed=0..4" or "sweep.activation=gelu,elu(alpha=0.5)" sweeps a key and
/// "sweep.seed=" ends its sweep. Later arguments win.
///
/// Everything is checked before this returns, for every experiment: an unknown key or name, a wrong type or a
/// value out of range throws ConfigError, one line with the file's line or the argument.
std::vector<Experiment> load_experiment(const std::filesystem::path& file,
                                        const std::vector<std::string>& arguments, const Schemas& schemas);

}  // namespace actlab
