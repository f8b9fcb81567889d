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
/// "sweep.seed=" ends its sweep. Later arguments win. A file may have a `base`, another file that holds where
/// it says nothing itself.
///
/// Everything is checked before this returns, for every experiment: an unknown key or name, a wrong type or a
/// value out of range throws ConfigError, one line with the file's line or the argument.
std::vector<Experiment> load_experiment(const std::filesystem::path& file,
                                        const std::vector<std::string>& arguments, const Schemas& schemas);

/// A key with its value in the first experiment, and with those of the others where it is swept.
struct KeyOrigin {
  std::string section, name;
  std::vector<OptionValue> values;
  std::string origin;  ///< "default", "file.toml:12" or "argument 'optimizer.lr=0.1'"

  std::string path() const { return section.empty() ? name : section + "." + name; }
};

struct ConfigOrigins {
  std::size_t experiments = 0;
  std::vector<KeyOrigin> keys;     ///< every key of the first experiment, section by section
  std::vector<std::size_t> swept;  ///< which of them the sweep varies, the slowest first
};

/// Where the values come from, of what load_experiment loads; throws as it does.
ConfigOrigins find_origins(const std::filesystem::path& file, const std::vector<std::string>& arguments,
                           const Schemas& schemas);

}  // namespace actlab
