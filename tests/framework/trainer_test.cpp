// The training loop: learns, repeats itself bit for bit, resumes, ends where the loss is not finite.
#include "framework/train/trainer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "framework/autograd/node.h"
#include "framework/train/checkpoint.h"
#include "framework/train/evaluate.h"
#include "kernels/cpu/threads.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/training.h"

namespace actlab {
namespace {

std::vector<std::int64_t> evaluated_steps(const TrainResult& result) {
  std::vector<std::int64_t> steps;
  for (const Evaluation& e : result.progress.evaluations) steps.push_back(e.step);
  return steps;
}

bool same(const Evaluation& a, const Evaluation& b) {
  return a.step == b.step && a.epoch == b.epoch && a.train_loss == b.train_loss &&
         a.test.loss == b.test.loss && a.test.accuracy == b.test.accuracy && a.lr == b.lr &&
         a.deciding().loss == b.deciding().loss && a.deciding().accuracy == b.deciding().accuracy;
}

// Losses of the first steps, one by one.
std::vector<double> first_losses(Training& training, std::int64_t steps) {
  std::vector<double> losses;
  OnStep observer([&](std::int64_t, double loss) { losses.push_back(loss); });
  training.run({.steps = steps, .batch = 16, .eval_every = 1}, observer);
  return losses;
}

// Passes batches on to a model and keeps a few pixels of each.
class Witness : public Module {
 public:
  explicit Witness(Module& model) : model_(model) { add_part("model", model); }
  Tensor forward(const Tensor& x) override {
    const auto pixels = x.to_vector<float>();
    for (std::size_t i = 0; i < pixels.size(); i += 50) seen.push_back(pixels[i]);
    return model_(x);
  }
  std::vector<float> seen;

 private:
  Module& model_;
};

TEST(Trainer, OverfitsOneBatch) {
  Training training({.train = 16});
  training.run({.steps = 150, .batch = 16, .eval_every = 150});
  const Score score = evaluate(*training.model, *training.data, SplitName::train, 16, training.backend);
  EXPECT_LT(score.loss, 0.01);
  EXPECT_EQ(score.accuracy, 1.0);
}

TEST(Trainer, OverfitsOneBatchWithBatchNorm) {
  Training training({.train = 16, .batch_norm = true});
  double loss = 0;
  OnStep observer([&](std::int64_t, double mean) { loss = mean; });
  training.run({.steps = 150, .batch = 16, .eval_every = 1}, observer);
  EXPECT_LT(loss, 0.01);
  // The running statistics have come close to those of the one batch.
  const Score score = evaluate(*training.model, *training.data, SplitName::train, 16, training.backend);
  EXPECT_LT(score.loss, 0.05);
  EXPECT_EQ(score.accuracy, 1.0);
}

TEST(Trainer, EqualSeedsGiveEqualBits) {
  const auto weights = [](std::uint64_t seed) {
    Training training({.seed = seed});
    training.run({.epochs = 3, .batch = 16, .augment = true, .seed = seed});
    return weights_of(*training.model);
  };
  EXPECT_EQ(weights(1), weights(1));
  EXPECT_NE(weights(1), weights(2));
}

TEST(Trainer, SeedDecidesTheOrderOfSamples) {
  const auto weights = [](std::uint64_t order) {
    Training training;
    training.run({.batch = 16, .seed = order});
    return weights_of(*training.model);
  };
  EXPECT_NE(weights(1), weights(2));
}

// Stopped after step 15: the newest checkpoint, of step 12, lies between the evaluations of steps 7 and 14.
void expect_resumed_equals_uninterrupted(TrainingParts parts, TrainSettings settings = {}) {
  for (const std::int64_t eval_every : {7, 0}) {
    parts.seed = 3;
    // With and without a validation split an epoch has 6 steps.
    const double share = eval_every == 0 ? 0.2 : 0.0;
    parts.train = share > 0 ? 56 : 48;
    const auto training = [&] {
      Training made(parts);
      made.data->hold_out_validation(share);
      return made;
    };
    const TemporaryFolder folder;
    settings.epochs = 4, settings.batch = 8, settings.seed = 3, settings.augment = true;
    settings.eval_every = eval_every, settings.checkpoints.clear();
    Training whole = training();
    const TrainResult expected = whole.run(settings);

    struct Stop {};
    settings.checkpoints = folder.path();
    OnStep stop([](std::int64_t step, double) {
      if (step == 15) throw Stop();
    });
    EXPECT_THROW(training().run(settings, stop), Stop);

    // Other initial weights, all of which the checkpoint replaces; the masks of dropout go by the seed.
    if (parts.dropout == 0) parts.seed = 99;
    Training resumed = training();
    const auto newest = newest_checkpoint(folder.path(), [](const std::string& text) { FAIL() << text; });
    ASSERT_TRUE(newest);
    EXPECT_EQ(newest->filename(), "step-12");
    const TrainResult result =
        resumed.run(settings, load_checkpoint(*newest, *resumed.model, resumed.optimizer.get()));
    EXPECT_EQ(result.step_seconds.size(), 12u);
    EXPECT_EQ(weights_of(*resumed.model), weights_of(*whole.model));
    EXPECT_EQ(elements_of(resumed.model->buffers()), elements_of(whole.model->buffers()));
    EXPECT_EQ(elements_of(resumed.optimizer->state()), elements_of(whole.optimizer->state()));
    ASSERT_EQ(result.progress.evaluations.size(), expected.progress.evaluations.size());
    for (std::size_t i = 0; i < expected.progress.evaluations.size(); ++i)
      EXPECT_TRUE(same(result.progress.evaluations[i], expected.progress.evaluations[i])) << i;
    EXPECT_EQ(result.progress.evaluations[0].validation.has_value(), share > 0);
  }
}

TEST(Trainer, ResumedEqualsUninterrupted) { expect_resumed_equals_uninterrupted({}); }

TEST(Trainer, ResumedEqualsUninterruptedWithBatchNorm) {
  expect_resumed_equals_uninterrupted({.batch_norm = true});
}

TEST(Trainer, ResumedEqualsUninterruptedWithBatchNormAndDropout) {
  expect_resumed_equals_uninterrupted({.batch_norm = true, .dropout = 0.3});
  expect_resumed_equals_uninterrupted({.batch_norm = true, .dropout = 0.3}, {.accumulate = 2});
}

TEST(Trainer, ResumedEqualsUninterruptedWithALearnedActivation) {
  for (const char* activation : {"swish(learned=channel)", "gelu_scaled(learned=layer)"})
    expect_resumed_equals_uninterrupted({.activation = activation});
}

// Moments, their count of steps and the place in the schedule are all part of what goes on.
TEST(Trainer, ResumedEqualsUninterruptedWithEveryOption) {
  const TrainSettings settings{.accumulate = 2, .lr = 0.01, .clip_norm = 0.5, .label_smoothing = 0.1};
  for (const std::string optimizer : {"sgd", "adamw"})
    for (const std::string schedule : {"constant", "one_cycle"})
      expect_resumed_equals_uninterrupted({.optimizer = optimizer, .schedule = schedule}, settings);
}

// Two micro-batches of an update, and the updates, must not share a mask.
TEST(Trainer, EveryForwardPassOfTrainingHasItsNumber) {
  struct Counter : Module {
    explicit Counter(Module& inner) : model(inner) { add_part("model", inner); }
    Tensor forward(const Tensor& x) override {
      if (training()) passes.push_back(pass());
      return model(x);
    }
    Module& model;
    std::vector<std::int64_t> passes;
  };
  Training training({.train = 20});
  Counter counter(*training.model);
  TrainObserver silent;
  const auto& constant = find_component("schedule", "constant", schedule_types());
  Trainer(counter, *training.optimizer, constant.make(Options(constant.options), 6), *training.data,
          training.backend, {.steps = 4, .batch = 8, .accumulate = 2})
      .run(silent);
  // 20 images: the last update of an epoch has one micro-batch of 4.
  EXPECT_EQ(counter.passes, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 6, 7}));
}

TEST(Trainer, FinishedRunHasNothingToResume) {
  const TemporaryFolder folder;
  const TrainSettings settings{.batch = 16, .checkpoints = folder.path()};
  Training training;
  training.run(settings);
  const auto before = weights_of(*training.model);
  Progress progress = load_checkpoint(folder.path() / "step-3", *training.model, training.optimizer.get());
  const TrainResult result = training.run(settings, std::move(progress));
  EXPECT_EQ(result.progress.step, 3);
  EXPECT_TRUE(result.step_seconds.empty());
  EXPECT_EQ(weights_of(*training.model), before);
}

// A weight becomes NaN after step 4; step 5 must not spread it, and no checkpoint may hold it.
TEST(Trainer, LossThatIsNotFiniteEndsBeforeTheUpdate) {
  const TemporaryFolder folder;
  Training training;
  std::vector<float> poisoned;
  OnStep poison([&](std::int64_t step, double) {
    if (step != 4) return;
    Tensor bias = training.model->parameters().back().tensor;
    bias.mutable_data().as<float>()[0] = std::numeric_limits<float>::quiet_NaN();
    poisoned = weights_of(*training.model);
  });
  const TrainResult result = training.run({.epochs = 3, .batch = 16, .checkpoints = folder.path()}, poison);
  EXPECT_TRUE(result.diverged);
  EXPECT_EQ(result.progress.step, 4);
  EXPECT_EQ(evaluated_steps(result), (std::vector<std::int64_t>{3}));
  const auto now = weights_of(*training.model);
  ASSERT_EQ(now.size(), poisoned.size());
  for (std::size_t i = 0; i < now.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(now[i]), std::bit_cast<std::uint32_t>(poisoned[i])) << i;
  EXPECT_EQ(newest_checkpoint(folder.path(), nullptr), folder.path() / "step-3");
  EXPECT_EQ(Node::alive(), 0);
}

TEST(Trainer, EvaluationThatIsNotFiniteEndsWithoutACheckpoint) {
  const TemporaryFolder folder;
  Training training;
  OnStep poison([&](std::int64_t step, double) {
    if (step == 3)
      training.model->parameters()[0].tensor.mutable_data().as<float>()[0] =
          std::numeric_limits<float>::infinity();
  });
  const TrainResult result = training.run({.epochs = 3, .batch = 16, .checkpoints = folder.path()}, poison);
  EXPECT_TRUE(result.diverged);
  EXPECT_EQ(evaluated_steps(result), (std::vector<std::int64_t>{3}));
  EXPECT_FALSE(newest_checkpoint(folder.path(), nullptr));
}

TEST(Trainer, DivergenceAtTheFirstStepStillMeasuresMemory) {
  Training training;
  training.data->deviation[0] = 0;
  const TrainResult result = training.run({.batch = 16});
  EXPECT_TRUE(result.diverged);
  EXPECT_EQ(result.progress.step, 0);
  EXPECT_FALSE(result.saved.empty());
  EXPECT_GT(result.memory.total.peak, 0);
}

// With a rate of 0 the weights stand still, so that the mean over the samples of an epoch can be known: of 20
// images in batches of 8 the last batch has 4.
TEST(Trainer, TrainLossIsTheMeanOverSamplesShortBatchIncluded) {
  Training training({.train = 20, .test = 20});
  const TrainResult result = training.run({.epochs = 2, .batch = 8, .lr = 0});
  EXPECT_EQ(evaluated_steps(result), (std::vector<std::int64_t>{3, 6}));
  EXPECT_EQ(result.progress.evaluations[1].epoch, 2.0);
  EXPECT_EQ(result.progress.loss_labels, 0);
  const Score score = evaluate(*training.model, *training.data, SplitName::train, 20, training.backend);
  for (const Evaluation& e : result.progress.evaluations) EXPECT_NEAR(e.train_loss, score.loss, 1e-6);
}

TEST(Trainer, EvaluatesWhenAskedAndAtTheEnd) {
  const auto steps = [](const TrainSettings& settings) { return evaluated_steps(Training().run(settings)); };
  using Steps = std::vector<std::int64_t>;
  EXPECT_EQ(steps({.epochs = 3, .batch = 16}), (Steps{3, 6, 9}));
  EXPECT_EQ(steps({.epochs = 3, .batch = 16, .eval_every = 4}), (Steps{4, 8, 9}));
  EXPECT_EQ(steps({.epochs = 3, .steps = 5, .batch = 16}), (Steps{3, 5}));
  EXPECT_EQ(steps({.epochs = 1, .batch = 16, .eval_every = 100}), (Steps{3}));
  EXPECT_EQ(steps({.epochs = 2, .batch = 48}), (Steps{1, 2}));
}

TEST(Trainer, ConvergenceAndBestOfAnEvaluationList) {
  Progress progress;
  EXPECT_EQ(progress.best(Metric::accuracy), nullptr);
  EXPECT_FALSE(progress.convergence_steps({Metric::accuracy, 0.5}));
  for (const auto& [step, accuracy] : {std::pair{10, 0.4}, {20, 0.6}, {30, 0.5}, {40, 0.6}})
    progress.evaluations.push_back({.step = step, .test = {.accuracy = accuracy}});
  EXPECT_EQ(progress.best(Metric::accuracy)->step, 20);
  EXPECT_EQ(progress.convergence_steps({Metric::accuracy, 0.6}), 20);
  EXPECT_EQ(progress.convergence_steps({Metric::accuracy, 0.4}), 10);
  EXPECT_FALSE(progress.convergence_steps({Metric::accuracy, 0.61}));
  EXPECT_FALSE(progress.convergence_steps({Metric::accuracy, 0}));
}

TEST(Trainer, ALossIsBestAndConvergedWhereItIsLow) {
  Progress progress;
  EXPECT_EQ(progress.best(Metric::loss), nullptr);
  for (const auto& [step, loss, accuracy] :
       {std::tuple{10, 3.0, 0.4}, {20, 2.0, 0.5}, {30, 2.5, 0.7}, {40, 2.0, 0.6}})
    progress.evaluations.push_back({.step = step, .test = {.loss = loss, .accuracy = accuracy}});
  EXPECT_EQ(progress.best(Metric::loss)->step, 20);
  EXPECT_EQ(progress.best(Metric::accuracy)->step, 30);
  EXPECT_EQ(progress.convergence_steps({Metric::loss, 2.0}), 20);
  EXPECT_EQ(progress.convergence_steps({Metric::loss, 3.5}), 10);
  EXPECT_FALSE(progress.convergence_steps({Metric::loss, 1.9}));
  EXPECT_FALSE(progress.convergence_steps({Metric::loss, 0}));
  progress.evaluations[3].validation = Score{.loss = 1.0};
  EXPECT_EQ(progress.best(Metric::loss)->step, 40);
}

TEST(Trainer, ValidationDecidesWhatIsBestAndConverged) {
  Progress progress;
  for (const auto& [step, test, validation] :
       {std::tuple{10, 0.9, 0.4}, {20, 0.5, 0.6}, {30, 0.8, 0.7}, {40, 0.95, 0.7}})
    progress.evaluations.push_back(
        {.step = step, .test = {.accuracy = test}, .validation = Score{.accuracy = validation}});
  EXPECT_EQ(progress.best(Metric::accuracy)->step, 30);
  EXPECT_EQ(progress.best(Metric::accuracy)->test.accuracy, 0.8);
  EXPECT_EQ(progress.convergence_steps({Metric::accuracy, 0.6}), 20);
  EXPECT_FALSE(progress.convergence_steps({Metric::accuracy, 0.9}));
}

TEST(Trainer, EvaluatesBothSplits) {
  Training training({.train = 56});
  EXPECT_FALSE(training.run({.batch = 16}).progress.evaluations.at(0).validation);
  training.data->hold_out_validation(0.2);
  const Evaluation e = training.run({.batch = 16}).progress.evaluations.at(0);
  EXPECT_EQ(e.step, 3) << "of 46 images";
  const ImageDataset& data = *training.data;
  const Score validation = evaluate(*training.model, data, SplitName::validation, 16, training.backend);
  ASSERT_TRUE(e.validation);
  EXPECT_EQ(e.validation->loss, validation.loss);
  EXPECT_EQ(e.validation->accuracy, validation.accuracy);
  EXPECT_EQ(e.test.loss, evaluate(*training.model, data, SplitName::test, 16, training.backend).loss);
  EXPECT_NE(e.test.loss, validation.loss);
}

TEST(Trainer, SteadyTrainingAsksTheSystemForNoMemory) {
  Training training({.train = 160});
  training.backend.memory.trim();
  std::vector<std::int64_t> segments;
  OnStep observer(
      [&](std::int64_t, double) { segments.push_back(training.backend.memory.stats().segments_requested); });
  training.run({.epochs = 2, .batch = 16, .eval_every = 20}, observer);
  ASSERT_EQ(segments.size(), 20u);
  EXPECT_EQ(segments.back(), segments[2]);
}

TEST(Trainer, NoGraphIsLeftAfterAStepOrAnEvaluation) {
  struct Counter : TrainObserver {
    void on_step(std::int64_t, std::int64_t, double, std::int64_t) override {
      alive.push_back(Node::alive());
    }
    void on_evaluation(const Evaluation&, std::int64_t) override { alive.push_back(Node::alive()); }
    std::vector<std::int64_t> alive;
  } counter;
  Training().run({.epochs = 2, .batch = 16}, counter);
  EXPECT_EQ(counter.alive, std::vector<std::int64_t>(8, 0));
}

TEST(Trainer, ArmsThatShareASeedShareWeightsAndBatches) {
  Training relu({.activation = "relu"}), gelu({.activation = "gelu"});
  EXPECT_EQ(weights_of(*relu.model), weights_of(*gelu.model));
  std::vector<std::vector<float>> seen;
  for (Training* arm : {&relu, &gelu}) {
    Witness witness(*arm->model);
    Trainer trainer(witness, *arm->optimizer, [](std::int64_t) { return 1.0; }, *arm->data, arm->backend,
                    {.epochs = 2, .batch = 16, .augment = true, .seed = 5});
    TrainObserver silent;
    trainer.run(silent);
    seen.push_back(witness.seen);
  }
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_NE(weights_of(*relu.model), weights_of(*gelu.model));
}

TEST(Trainer, ThreadCountsAgreeOnTheFirstLosses) {
  std::vector<std::vector<double>> losses;
  std::vector<std::vector<float>> initial;
  for (const int threads : {1, 2}) {
    use_threads(threads);
    Training training;
    initial.push_back(weights_of(*training.model));
    losses.push_back(first_losses(training, 10));
  }
  use_threads(0);
  EXPECT_EQ(initial[0], initial[1]);
  ASSERT_EQ(losses[0].size(), 10u);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(losses[0][i], losses[1][i], 1e-4 * losses[0][i]) << i;
}

}  // namespace
}  // namespace actlab
