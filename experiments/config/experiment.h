// One resolved experiment: everything that a run needs to know, typed and checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/core/options.h"

namespace actlab {

/// A component chosen by name, with its options' values.
struct ComponentChoice {
  std::string name;
  Options options;
};

/// The initial values are the defaults of an experiment file.
struct Experiment {
  struct Train {
    std::int64_t epochs = 1;
    std::int64_t steps = 0;             ///< > 0: ends after this many steps, whatever `epochs` says
    std::int64_t eval_every = 0;        ///< steps; 0: every epoch
    double target = 0;                  ///< accuracy that counts as converged; 0: none
    double target_loss = 0;             ///< loss in nats that does, in its place; 0: none
    std::int64_t accumulate = 1;        ///< equal parts of a batch that make one update
    double clip_norm = 0;               ///< most that the gradients' norm may be; 0: anything
    double label_smoothing = 0;         ///< of the training loss, in [0, 1)
    std::int64_t checkpoint_every = 1;  ///< epochs
  };

  std::string name;
  std::int64_t seed = 0;
  std::string device = "cpu";
  std::int64_t threads = 0;  ///< 0: all cores
  std::string gemm = "auto";
  std::string precision = "f32";  ///< "bf16" or "bf16_emulated": as experiments/runner/precision.h says
  bool fuse = true;               ///< false: activations apart from pooling and linear layers, in more memory
  ComponentChoice model{"small_cnn", {}};
  std::string activation = "relu";  ///< spelled with its parameters: "elu(alpha=0.5)"
  ComponentChoice data{"cifar10", {}};
  std::int64_t batch = 128;
  bool augment = false;
  double validation = 0;  ///< share of the training part held out
  Train train;
  ComponentChoice optimizer{"sgd", {}};
  ComponentChoice schedule{"constant", {}};
  std::string run_root = "runs";
};

/// A key with its value; of a component's option too.
struct KeyValue {
  std::string section;  ///< "" at the top level
  std::string name;
  OptionValue value;

  std::string path() const { return section.empty() ? name : section + "." + name; }
};

/// Every key, section by section.
std::vector<KeyValue> values_of(const Experiment& experiment);

/// The keys whose values differ among the experiments, or that not all of them have, but for the activation
/// and the seed.
std::vector<std::string> swept_keys(const std::vector<Experiment>& experiments);

/// The value of a key; nothing where the experiment has no such key.
std::optional<OptionValue> value_of(const Experiment& experiment, std::string_view path);

/// "gelu seed 0 lr=0.1": the activation, the seed, and the values of those keys.
std::string job_name(const Experiment& experiment, const std::vector<std::string>& keys);

/// The experiment as a complete file: every key with its value. It loads back to the same experiment.
std::string to_toml(const Experiment& experiment);

/// Eight hex digits that name a job: equal for the same settings (but for the run root and the checkpoints)
/// and the same program, whose checksum is given (and that of the data, where the settings do not fix
/// them).
std::string run_id(const Experiment& experiment, std::string_view checksums);

}  // namespace actlab
