// Times updates and a forward pass.
#include "experiments/runner/estimate.h"

#include "experiments/runner/timing.h"
#include "framework/autograd/grad_mode.h"
#include "kernels/cpu/threads.h"

namespace actlab {

JobEstimate estimate_job(const Experiment& experiment, DataSets& sets) {
  constexpr std::int64_t repeats = 3;
  use_threads(static_cast<int>(experiment.threads));
  const Dataset& data = sets.of(experiment);
  const TrainSettings settings = train_settings(experiment);
  Backend& backend = backend_of(experiment);
  const auto model = build_model(experiment, data.spec());
  const auto optimizer = build_optimizer(experiment, *model);
  const auto loader = training_loader(data, settings);
  JobEstimate estimate{.steps = total_steps(settings, data)};
  for (const auto& parameter : model->parameters()) estimate.parameters += parameter.tensor.count();

  {
    const Batch batch = loader->load(0, 0, backend);
    estimate.saved_bytes = saved_bytes(training_pass(*model, batch, 0, settings).loss);
    estimate.activation_bytes = activation_bytes(experiment, batch, data.spec(), estimate.saved_bytes);
  }
  backend.memory.reset_peak();
  estimate.step_seconds = median_seconds(repeats, backend.memory, [&] {
    std::vector<Batch> parts;
    for (std::int64_t i = 0; i < settings.accumulate; ++i) parts.push_back(loader->load(0, 0, backend));
    for (const Batch& part : parts) {
      const Tensor loss = training_pass(*model, part, 0, settings).loss;
      loss.backward();
    }
    optimizer->step(0);
  });
  estimate.peak_bytes = backend.memory.stats().total.peak;

  model->eval();
  const Batch batch = loader->load(0, 0, backend);
  const double forward = median_seconds(repeats, backend.memory, [&] {
    const NoGrad no_grad;
    model->logits(batch);
  });
  const std::int64_t scored = data.count(SplitName::test) + data.count(SplitName::validation);
  const std::int64_t every = settings.eval_every > 0 ? settings.eval_every : steps_per_epoch(settings, data);
  const std::int64_t evaluations = (estimate.steps + every - 1) / every;
  const double batches = static_cast<double>(scored) / static_cast<double>(settings.micro_batch());
  estimate.seconds = static_cast<double>(estimate.steps) * estimate.step_seconds +
                     static_cast<double>(evaluations) * batches * forward;
  return estimate;
}

}  // namespace actlab
