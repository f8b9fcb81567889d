// Every key that an experiment file may have, whatever it names: for messages, lists and completion.
#pragma once

#include <string>
#include <vector>

#include "experiments/config/schema.h"
#include "kernels/activation.h"

namespace actlab {

struct FileKey {
  std::string section;    ///< "" at the top level; "activation.elu" of an activation's parameter
  std::string component;  ///< whose option it is: "sgd"; empty: of none
  Option option;

  std::string path() const { return section.empty() ? option.name : section + "." + option.name; }
};

/// Section by section, in the order of experiment_keys: first the keys of every experiment, then the options
/// of each component; parameters of activations last. What [sweep] holds are these keys again.
std::vector<FileKey> file_keys(const Schemas& schemas);

/// The option of [activation.NAME] for a parameter.
Option parameter_option(const ParameterInfo& info);

/// "" for the top level, "train", ..., "activation" and "sweep".
std::vector<std::string> section_names();

}  // namespace actlab
