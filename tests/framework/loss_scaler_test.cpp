// Dynamic loss scaling: updates with it are those without it, and an overflow costs one update and nothing
// else.
#include "framework/optim/loss_scaler.h"

#include <gtest/gtest.h>

#include <optional>

#include "framework/ops/ops.h"
#include "framework/train/checkpoint.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/training.h"

namespace actlab {
namespace {

// Passes batches on to a model; in the wanted passes of training its gradients overflow, while its loss stays
// finite.
class Overflowing : public Module {
 public:
  explicit Overflowing(Module& model, std::optional<std::int64_t> at = {}) : model_(model), at_(at) {
    add_part("model", model);
  }
  Tensor forward(const Tensor& x) override {
    const Tensor y = model_(x);
    if (!training() || (at_ && pass() != *at_)) return y;
    // The way back meets the large factors first.
    return scale(scale(scale(y, 0x1p-140), 0x1p13), 0x1p127);
  }

 private:
  Module& model_;
  std::optional<std::int64_t> at_;
};

// Writes down what is trained with after every step, and the overflows.
class Record : public TrainObserver {
 public:
  explicit Record(const Module& model) : model_(model) {}
  void on_step(std::int64_t, std::int64_t, double, std::int64_t) override {
    weights.push_back(weights_of(model_));
  }
  void on_overflow(std::int64_t step, double scale) override { overflows.emplace_back(step, scale); }

  std::vector<std::vector<float>> weights;
  std::vector<std::pair<std::int64_t, double>> overflows;

 private:
  const Module& model_;
};

struct Scaled {
  std::vector<std::vector<float>> weights;
  std::vector<std::pair<std::int64_t, double>> overflows;
  TrainResult result;
};

Scaled train(Training& training, Module& model, const TrainSettings& settings, Progress start = {}) {
  const std::int64_t total = total_steps(settings, *training.data);
  const auto& cosine = find_component("schedule", "cosine", schedule_types());
  Record record(model);
  Trainer trainer(model, *training.optimizer, cosine.make(Options(cosine.options), total), *training.data,
                  training.backend, settings);
  TrainResult result = trainer.run(record, std::move(start));
  return {std::move(record.weights), std::move(record.overflows), std::move(result)};
}

TEST(LossScaler, UpdatesAreThoseWithoutIt) {
  for (const double clip_norm : {0.0, 0.1})
    for (const std::int64_t accumulate : {1, 2}) {
      TrainSettings settings{.epochs = 3, .batch = 16, .accumulate = accumulate, .clip_norm = clip_norm};
      Training plain, scaled;
      const Scaled want = train(plain, *plain.model, settings);
      settings.scale_loss = true;
      const Scaled got = train(scaled, *scaled.model, settings);
      EXPECT_EQ(got.weights, want.weights);
      EXPECT_EQ(got.result.progress.scaling.scale, LossScaler::first);
      EXPECT_EQ(got.result.progress.scaling.finite, 9);
    }
}

TEST(LossScaler, AnOverflowLeavesWeightsAndScheduleAlone) {
  const TrainSettings settings{.steps = 3, .batch = 16, .eval_every = 1, .scale_loss = true};
  Training training;
  Overflowing model(*training.model, 1);
  const Scaled run = train(training, model, settings);
  const Progress& progress = run.result.progress;
  EXPECT_FALSE(run.result.diverged) << run.result.message;
  EXPECT_EQ(progress.step, 3);
  EXPECT_EQ(progress.skipped, 1);
  EXPECT_EQ(progress.scaling.scale, 32768);
  EXPECT_EQ(run.overflows, (std::vector{std::pair{std::int64_t{2}, 32768.0}}));
  ASSERT_EQ(run.weights.size(), 3u);
  EXPECT_EQ(run.weights[1], run.weights[0]);
  EXPECT_NE(run.weights[2], run.weights[1]);
  // Two updates: the rates of the first two, whatever was left out between them.
  EXPECT_EQ(progress.evaluations[1].lr, progress.evaluations[0].lr);
  Training other;
  const Scaled plain = train(other, *other.model, settings);
  EXPECT_EQ(progress.evaluations[2].lr, plain.result.progress.evaluations[1].lr);
}

TEST(LossScaler, WithoutItNothingIsScaledOrSkipped) {
  Training training;
  const Scaled run = train(training, *training.model, {.steps = 3, .batch = 16});
  EXPECT_EQ(run.result.progress.skipped, 0);
  EXPECT_EQ(run.result.progress.scaling.scale, 1);
}

TEST(LossScaler, StaysFiniteAndStopsFalling) {
  LossScale state{.scale = LossScaler::first};
  LossScaler scaler(state, 1);
  for (int i = 0; i < 150; ++i) scaler.updated();
  EXPECT_EQ(state.scale, LossScaler::most);
  int lowered = 0;
  while (scaler.lower()) ++lowered;
  EXPECT_EQ(state.scale, LossScaler::least);
  EXPECT_EQ(lowered, 24);
}

TEST(LossScaler, RisesAfterTheInterval) {
  LossScale state{.scale = 4};
  LossScaler scaler(state, 3);
  for (const double want : {4.0, 4.0, 8.0, 8.0}) {
    scaler.updated();
    EXPECT_EQ(scaler.scale(), want);
  }
  scaler.lower();
  EXPECT_EQ(scaler.scale(), 4);
  EXPECT_EQ(state.finite, 0);
}

TEST(LossScaler, NeverDividesTwice) {
  LossScale state{.scale = 4};
  LossScaler scaler(state);
  Tensor w = Tensor::from(std::vector<float>{1}, {1}, find_backend("cpu"));
  w.require_grad();
  sum(scale(w, 8)).backward();
  const std::vector<NamedParameter> parameters = {{"w", w}};
  scaler.unscale(parameters);
  EXPECT_EQ(w.grad().item(), 2);
  EXPECT_THROW(scaler.unscale(parameters), Error);
  EXPECT_EQ(w.grad().item(), 2);
  scaler.updated();
  scaler.unscale(parameters);
  EXPECT_EQ(w.grad().item(), 0.5);
}

TEST(LossScaler, OverflowAtEveryStepEndsTheRun) {
  Training training;
  Overflowing model(*training.model);
  const Scaled run = train(training, model, {.steps = 60, .batch = 16, .scale_loss = true});
  EXPECT_TRUE(run.result.diverged);
  EXPECT_EQ(run.result.progress.step, 16);
  EXPECT_EQ(run.result.progress.skipped, 16);
  EXPECT_EQ(run.result.progress.scaling.scale, 1);
  EXPECT_NE(run.result.message.find("the gradient of"), std::string::npos) << run.result.message;
}

TEST(LossScaler, IsKeptInCheckpoints) {
  const TemporaryFolder folder;
  const TrainSettings settings{.epochs = 2, .batch = 16, .scale_loss = true};
  Training whole, first, second;
  Overflowing of_whole(*whole.model, 1), of_first(*first.model, 1), of_second(*second.model, 1);
  const Scaled want = train(whole, of_whole, settings);
  const Scaled begun = train(first, of_first, settings);
  save_checkpoint(folder.path(), of_first, *first.optimizer, begun.result.progress);
  const Progress read =
      load_checkpoint(*newest_checkpoint(folder.path(), nullptr), of_second, second.optimizer.get());
  EXPECT_EQ(read.skipped, 1);
  EXPECT_EQ(read.scaling.scale, 32768);
  EXPECT_EQ(read.scaling.finite, want.result.progress.scaling.finite);
}

}  // namespace
}  // namespace actlab
