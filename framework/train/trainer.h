// The training loop: steps, evaluations, checkpoints, and the measurements that the results table shows.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/autograd/engine.h"
#include "framework/data/dataset.h"
#include "framework/nn/module.h"
#include "framework/optim/optimizer.h"
#include "framework/optim/schedule.h"
#include "framework/train/evaluate.h"
#include "framework/train/progress.h"

namespace actlab {

struct TrainSettings {
  std::int64_t epochs = 1;
  std::int64_t steps = 0;    ///< updates in all; 0: as many as the epochs have
  std::int64_t batch = 128;  ///< images or windows of an update
  /// Equal parts of the batch, run one after the other: less memory, the same update but for rounding.
  std::int64_t accumulate = 1;
  bool augment = false;
  /// Updates between evaluations; 0: after every epoch. The end is always evaluated.
  std::int64_t eval_every = 0;
  std::int64_t checkpoint_every = 1;  ///< epochs between checkpoints; the end always has one
  double lr = 0.05;                   ///< base of the schedule
  double clip_norm = 0;               ///< most that the norm of all gradients may be; 0: anything
  double label_smoothing = 0;         ///< of the loss that is trained on; evaluations have none
  bool scale_loss = false;            ///< dynamically, as f16 needs it
  std::uint64_t seed = 0;
  std::filesystem::path checkpoints = {};  ///< folder; empty: none are written

  /// Images or windows that the model sees at once; throws ConfigError where `accumulate` does not divide the
  /// batch.
  std::int64_t micro_batch() const;
};

/// Updates of a pass over the data's training split; the last may have fewer images or windows.
std::int64_t steps_per_epoch(const TrainSettings& settings, const Dataset& data);

/// Updates that the settings ask for.
std::int64_t total_steps(const TrainSettings& settings, const Dataset& data);

/// Batches of the training split in the order, and with the augmentation, of training.
std::unique_ptr<Loader> training_loader(const Dataset& data, const TrainSettings& settings);

/// One forward pass of training, the run's `pass`th, and the loss whose gradient training follows.
struct TrainingPass {
  Tensor logits, loss;
};
TrainingPass training_pass(Module& model, const Batch& batch, std::int64_t pass,
                           const TrainSettings& settings);

/// Told what happens; for progress bars and logs.
class TrainObserver {
 public:
  virtual ~TrainObserver() = default;
  /// `loss`: mean since the last evaluation; `samples` of this update, as Batch counts them.
  virtual void on_step(std::int64_t /*step*/, std::int64_t /*total*/, double /*loss*/,
                       std::int64_t /*samples*/) {}
  /// In f16 a gradient overflowed: this update is left out, and the loss scaled by less from now on.
  virtual void on_overflow(std::int64_t /*step*/, double /*scale*/) {}
  virtual void on_evaluation(const Evaluation& /*evaluation*/, std::int64_t /*total*/) {}
  /// Asked after every update: training saves a checkpoint there and ends.
  virtual bool wants_stop() const { return false; }
};

struct TrainResult {
  bool interrupted = false;  ///< the observer wanted it to stop before the end
  bool diverged = false;     ///< a loss or gradient was not finite: training stopped before that update
  std::string message;       ///< of a divergence: what was not finite, and when
  Progress progress;
  std::vector<double> step_seconds;  ///< of every update made here: batch, forward, backward, update
  std::int64_t samples = 0;          ///< of an update that has its whole batch, as Batch counts them
  std::vector<SavedBytes> saved;     ///< by layer, of the first step
  MemoryStats memory;                ///< at the end; peaks since the start
};

/// Trains from `start` (a checkpoint's progress, or none) to the end. Batches, augmentation and rates depend
/// on (seed, step) only, so that a resumed run equals an uninterrupted one.
class Trainer {
 public:
  Trainer(Module& model, Optimizer& optimizer, Schedule schedule, const Dataset& data, Backend& backend,
          const TrainSettings& settings);

  TrainResult run(TrainObserver& observer, Progress start = {});

 private:
  bool update(Loader& loader, LossScaler& scaler, TrainObserver& observer, TrainResult& result);
  void apply_gradients(double scaled_norm, LossScaler& scaler, const Progress& progress);
  bool diverge(std::string_view what, TrainResult& result) const;
  void evaluate_now(TrainResult& result, TrainObserver& observer);
  bool due(std::int64_t step, std::int64_t every) const;

  Module& model_;
  std::vector<NamedParameter> parameters_;  ///< the model's
  std::vector<LearnedParameter> learned_;   ///< of them, those of activations
  Optimizer& optimizer_;
  Schedule schedule_;
  const Dataset& data_;
  Backend& backend_;
  TrainSettings settings_;
  std::int64_t steps_per_epoch_;
  std::int64_t total_;
};

}  // namespace actlab
