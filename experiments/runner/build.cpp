// Looks components up by name and makes them.
#include "experiments/runner/build.h"

#include "datasets/datasets.h"
#include "experiments/runner/precision.h"
#include "framework/autograd/engine.h"
#include "framework/ops/ops.h"
#include "models/models.h"

namespace actlab {

Schemas known_schemas() {
  Schemas known{schemas_of(model_types()), schemas_of(dataset_types()), schemas_of(optimizer_types()),
                schemas_of(schedule_types())};
  check_options(known);
  return known;
}

Backend& backend_of(const Experiment& experiment) {
  return find_backend(experiment.device, experiment.gemm, multiplication_of(experiment.precision));
}

namespace {

std::unique_ptr<Module> make_model_of(const Experiment& experiment, const DataSpec& data,
                                      const std::string& activation, Backend& backend) {
  return make_model(find_component("model", experiment.model.name, model_types()), experiment.model.options,
                    data,
                    {ActivationHandle::parse(activation), static_cast<std::uint64_t>(experiment.seed),
                     backend, experiment.fuse, compute_type(experiment.precision)});
}

}  // namespace

std::unique_ptr<Module> build_model(const Experiment& experiment, const DataSpec& data) {
  return build_model(experiment, data, experiment.activation);
}

std::unique_ptr<Module> build_model(const Experiment& experiment, const DataSpec& data,
                                    const std::string& activation) {
  return make_model_of(experiment, data, activation, backend_of(experiment));
}

std::unique_ptr<Module> build_model(const Experiment& experiment, const DataSpec& data, Backend& backend) {
  return make_model_of(experiment, data, experiment.activation, backend);
}

std::unique_ptr<Optimizer> build_optimizer(const Experiment& experiment, const Module& model) {
  return find_component("optimizer", experiment.optimizer.name, optimizer_types())
      .make(experiment.optimizer.options, model.parameters());
}

Schedule build_schedule(const Experiment& experiment, std::int64_t total_steps) {
  return find_component("schedule", experiment.schedule.name, schedule_types())
      .make(experiment.schedule.options, total_steps);
}

TrainSettings train_settings(const Experiment& experiment) {
  return {.epochs = experiment.train.epochs,
          .steps = experiment.train.steps,
          .batch = experiment.batch,
          .accumulate = experiment.train.accumulate,
          .augment = experiment.augment,
          .eval_every = experiment.train.eval_every,
          .checkpoint_every = experiment.train.checkpoint_every,
          .lr = experiment.optimizer.options.number("lr"),
          .clip_norm = experiment.train.clip_norm,
          .label_smoothing = experiment.train.label_smoothing,
          .scale_loss = experiment.precision == "f16",
          .seed = static_cast<std::uint64_t>(experiment.seed)};
}

Target target_of(const Experiment& experiment) {
  const Experiment::Train& train = experiment.train;
  return train.target_loss > 0 ? Target{Metric::loss, train.target_loss}
                               : Target{Metric::accuracy, train.target};
}

const Dataset& DataSets::of(const Experiment& experiment) {
  std::string key = experiment.data.name + "\nvalidation=" + to_string(experiment.validation);
  for (const Option& option : experiment.data.options.declared())
    key += "\n" + option.name + "=" + to_string(experiment.data.options.value(option.name));
  auto& data = open_[key];
  if (data == nullptr) {
    auto opened =
        find_component("data set", experiment.data.name, dataset_types()).make(experiment.data.options);
    opened->hold_out_validation(experiment.validation);
    data = std::move(opened);
    for (const std::string& note : data->notes)
      if (log_ != nullptr) log_(note);
  }
  return *data;
}

std::int64_t activation_bytes(const Experiment& experiment, const Batch& batch, const DataSpec& data,
                              std::int64_t saved) {
  return saved - model_saved_bytes(*build_model(experiment, data, "identity"), batch);
}

std::int64_t model_saved_bytes(Module& model, const Batch& batch) {
  return saved_bytes(cross_entropy(model.logits(batch), batch.labels));
}

}  // namespace actlab
