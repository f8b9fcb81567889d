// From an experiment's names to what trains: backend, data, model, optimizer, schedule.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "experiments/config/experiment.h"
#include "experiments/config/schema.h"
#include "framework/data/dataset.h"
#include "framework/nn/module.h"
#include "framework/optim/optimizer.h"
#include "framework/optim/schedule.h"
#include "framework/train/trainer.h"

namespace actlab {

/// Of every component there is.
Schemas known_schemas();

Backend& backend_of(const Experiment& experiment);
/// The experiment's model with its activation, or with another one.
std::unique_ptr<Module> build_model(const Experiment& experiment, const DataSpec& data);
std::unique_ptr<Module> build_model(const Experiment& experiment, const DataSpec& data,
                                    const std::string& activation);
/// Its model on another backend.
std::unique_ptr<Module> build_model(const Experiment& experiment, const DataSpec& data, Backend& backend);
std::unique_ptr<Optimizer> build_optimizer(const Experiment& experiment, const Module& model);
Schedule build_schedule(const Experiment& experiment, std::int64_t total_steps);
TrainSettings train_settings(const Experiment& experiment);
Target target_of(const Experiment& experiment);

/// Opens each data set once for the experiments that share it, and tells its notes to `log` then.
class DataSets {
 public:
  explicit DataSets(std::function<void(const std::string&)> log = nullptr) : log_(std::move(log)) {}
  const Dataset& of(const Experiment& experiment);

 private:
  std::function<void(const std::string&)> log_;
  std::map<std::string, std::unique_ptr<Dataset>> open_;
};

/// Of the bytes that the experiment's model saves for backward with a batch those that its activation costs:
/// what the same model with `identity` does not save.
std::int64_t activation_bytes(const Experiment& experiment, const Batch& batch, const DataSpec& data,
                              std::int64_t saved);

/// Bytes that the model's graph keeps for backward with a batch.
std::int64_t model_saved_bytes(Module& model, const Batch& batch);

}  // namespace actlab
