// The training loop.
#include "framework/train/trainer.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "framework/ops/ops.h"
#include "framework/optim/gradient_norm.h"
#include "framework/train/checkpoint.h"

namespace actlab {

std::int64_t steps_per_epoch(const TrainSettings& settings, const Dataset& data) {
  return (data.count(SplitName::train) + settings.batch - 1) / settings.batch;
}

std::int64_t total_steps(const TrainSettings& settings, const Dataset& data) {
  return settings.steps > 0 ? settings.steps : settings.epochs * steps_per_epoch(settings, data);
}

std::int64_t TrainSettings::micro_batch() const {
  if (accumulate < 1 || batch % accumulate != 0)
    throw ConfigError(concat("train.accumulate = ", accumulate, ": does not part data.batch = ", batch,
                             " into equal micro-batches"));
  return batch / accumulate;
}

std::unique_ptr<Loader> training_loader(const Dataset& data, const TrainSettings& settings) {
  return data.loader(SplitName::train, {.batch = settings.micro_batch(),
                                        .training = true,
                                        .augment = settings.augment,
                                        .seed = settings.seed});
}

TrainingPass training_pass(Module& model, const Batch& batch, std::int64_t pass,
                           const TrainSettings& settings) {
  model.train(pass);
  const Tensor logits = model.logits(batch);
  return {logits, cross_entropy(logits, batch.labels, {.label_smoothing = settings.label_smoothing})};
}

Trainer::Trainer(Module& model, Optimizer& optimizer, Schedule schedule, const Dataset& data,
                 Backend& backend, const TrainSettings& settings)
    : model_(model),
      parameters_(model.parameters()),
      learned_(model.learned()),
      optimizer_(optimizer),
      schedule_(std::move(schedule)),
      data_(data),
      backend_(backend),
      settings_(settings),
      steps_per_epoch_(steps_per_epoch(settings, data)),
      total_(total_steps(settings, data)) {}

bool Trainer::due(std::int64_t step, std::int64_t every) const { return step == total_ || step % every == 0; }

// False, always: the update that it ends changes no weight.
bool Trainer::diverge(std::string_view what, TrainResult& result) const {
  clear_gradients(parameters_);
  result.diverged = true;
  result.message = concat(what, " was not finite after step ", result.progress.step);
  return false;
}

// One update; false where a loss or a gradient is not finite, but for an overflow that a lower scale of the
// loss may heal. The gradient is the mean over all its labels: the loss of each micro-batch counts by its
// share of them. A device is waited for once, when the last backward pass is on its way: the losses are read
// there, and what its kernels found wrong with tokens or labels is thrown, before the update.
bool Trainer::update(Loader& loader, LossScaler& scaler, TrainObserver& observer, TrainResult& result) {
  Progress& progress = result.progress;
  const auto start = std::chrono::steady_clock::now();
  const std::int64_t epoch = progress.step / steps_per_epoch_;
  const std::int64_t first = progress.step % steps_per_epoch_ * settings_.accumulate;
  const std::int64_t end = std::min(first + settings_.accumulate, loader.batches());
  std::vector<Batch> parts;
  std::int64_t labels = 0;
  std::int64_t samples = 0;
  for (std::int64_t i = first; i < end; ++i) {
    parts.push_back(loader.load(epoch, i, backend_));
    labels += parts.back().labels.count();
    samples += parts.back().samples;
  }

  std::vector<Tensor> losses;
  std::int64_t pass = progress.step * settings_.accumulate;
  for (const Batch& part : parts) {
    const Tensor loss = training_pass(model_, part, pass++, settings_).loss;
    if (result.saved.empty()) result.saved = saved_bytes_by_layer(loss);
    const auto share = static_cast<double>(part.labels.count()) / static_cast<double>(labels);
    scale(loss, share * scaler.scale()).backward();
    losses.push_back(loss.detach());
  }
  const GradientNorm gradient = gradient_norm(parameters_, losses);
  double loss_sum = 0;
  for (std::size_t i = 0; i < parts.size(); ++i)
    loss_sum += gradient.losses[i] * static_cast<double>(parts[i].labels.count());
  if (!std::isfinite(loss_sum)) return diverge("the loss", result);
  if (gradient.not_finite.empty()) {
    apply_gradients(gradient.norm, scaler, progress);
  } else if (settings_.scale_loss && scaler.lower()) {
    clear_gradients(parameters_);
    ++progress.skipped;
    observer.on_overflow(progress.step + 1, scaler.scale());
  } else {
    return diverge(concat("the gradient of '", gradient.not_finite, "'"), result);
  }
  result.step_seconds.push_back(
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());

  ++progress.step;
  progress.loss_sum += loss_sum;
  progress.loss_labels += labels;
  result.samples = std::max(result.samples, samples);
  observer.on_step(progress.step, total_, progress.loss_sum / static_cast<double>(progress.loss_labels),
                   samples);
  return true;
}

void Trainer::apply_gradients(double scaled_norm, LossScaler& scaler, const Progress& progress) {
  const double norm = scaled_norm / scaler.scale();
  if (settings_.scale_loss) scaler.unscale(parameters_);
  if (settings_.clip_norm > 0) clip_gradients(parameters_, norm, settings_.clip_norm);
  optimizer_.step(settings_.lr * schedule_(progress.step - progress.skipped));
  keep_in_range(learned_);
  if (settings_.scale_loss) scaler.updated();
}

void Trainer::evaluate_now(TrainResult& result, TrainObserver& observer) {
  Progress& progress = result.progress;
  const auto score = [&](SplitName split) {
    return evaluate(model_, data_, split, settings_.micro_batch(), backend_);
  };
  const bool validated = data_.count(SplitName::validation) > 0;
  progress.evaluations.push_back(
      {.step = progress.step,
       .epoch = static_cast<double>(progress.step) / static_cast<double>(steps_per_epoch_),
       .train_loss = progress.loss_sum / static_cast<double>(progress.loss_labels),
       .test = score(SplitName::test),
       .validation = validated ? std::optional(score(SplitName::validation)) : std::nullopt,
       .lr = settings_.lr * schedule_(std::max<std::int64_t>(0, progress.step - progress.skipped - 1))});
  progress.loss_sum = 0;
  progress.loss_labels = 0;
  observer.on_evaluation(progress.evaluations.back(), total_);
}

TrainResult Trainer::run(TrainObserver& observer, Progress start) {
  TrainResult result;
  result.progress = std::move(start);
  Progress& progress = result.progress;
  const auto loader = training_loader(data_, settings_);
  const std::int64_t eval_every = settings_.eval_every > 0 ? settings_.eval_every : steps_per_epoch_;
  const std::int64_t checkpoint_every = settings_.checkpoint_every * steps_per_epoch_;

  if (settings_.scale_loss && progress.step == 0) progress.scaling.scale = LossScaler::first;
  LossScaler scaler(progress.scaling);
  backend_.memory.reset_peak();
  while (progress.step < total_ && !result.diverged && !result.interrupted) {
    if (!update(*loader, scaler, observer, result)) break;
    if (due(progress.step, eval_every)) {
      evaluate_now(result, observer);
      const Evaluation& e = progress.evaluations.back();
      if (!std::isfinite(e.test.loss))
        diverge("the test loss", result);
      else if (!std::isfinite(e.deciding().loss))
        diverge("the validation loss", result);
    }
    if (result.diverged) break;
    result.interrupted = progress.step < total_ && observer.wants_stop();
    const bool save = result.interrupted || due(progress.step, checkpoint_every);
    if (save && !settings_.checkpoints.empty())
      save_checkpoint(settings_.checkpoints, model_, optimizer_, progress);
  }
  result.memory = backend_.memory.stats();
  return result;
}

}  // namespace actlab
