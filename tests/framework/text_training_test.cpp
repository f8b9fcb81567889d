// Training and evaluation of data whose batches ask for any number of labels: everything is a mean over
// labels.
#include <gtest/gtest.h>

#include "framework/optim/optimizer.h"
#include "framework/train/evaluate.h"
#include "framework/train/trainer.h"
#include "tests/support/fake_text.h"

namespace actlab {
namespace {

struct TextTraining {
  TrainResult run(const TrainSettings& settings) {
    TrainObserver silent;
    return Trainer(
               model, *optimizer, [](std::int64_t) { return 1.0; }, data, backend, settings)
        .run(silent);
  }
  Score score(std::int64_t batch) { return evaluate(model, data, SplitName::test, batch, backend); }

  Backend& backend = find_backend("cpu");
  FakeText data;
  FakeTextModel model{backend};
  const OptimizerType& sgd = find_component("optimizer", "sgd", optimizer_types());
  std::unique_ptr<Optimizer> optimizer = sgd.make(Options(sgd.options), model.parameters());
};

TEST(TextTraining, ScoresAreMeansOverLabelsWhateverTheBatches) {
  TextTraining training;
  const Score whole = training.score(100);
  EXPECT_GT(whole.loss, 0.5);
  for (const std::int64_t batch : {1, 2, 3, 4}) {
    const Score score = training.score(batch);
    EXPECT_NEAR(score.loss, whole.loss, 1e-6 * whole.loss) << batch;
    EXPECT_EQ(score.accuracy, whole.accuracy) << batch;
  }
  // The windows of the test split ask for 1, 2, 3, 1 and, having two tokens, 1.
  const Batch batch = training.data.loader(SplitName::test, {.batch = 5})->load(0, 0, training.backend);
  ASSERT_EQ(batch.labels.count(), 8);
  EXPECT_EQ(whole.accuracy, count_correct(training.model.logits(batch), batch.labels).item() / 8);
}

// Micro-batches of 1 to 3 labels: their losses and gradients count by them.
TEST(TextTraining, AccumulationIsTheMeanOverTheLabelsOfTheUpdate) {
  const auto train = [](std::int64_t accumulate) {
    TextTraining training;
    const TrainResult result =
        training.run({.epochs = 2, .batch = 4, .accumulate = accumulate, .eval_every = 1, .lr = 0.5});
    return std::pair(training.model.weight.to_vector<float>(), result.progress.evaluations);
  };
  const auto [whole, curve] = train(1);
  ASSERT_EQ(curve.size(), 4u);
  for (const std::int64_t accumulate : {2, 4}) {
    const auto [parts, found] = train(accumulate);
    for (std::size_t i = 0; i < whole.size(); ++i) ASSERT_NEAR(parts[i], whole[i], 1e-5) << i;
    for (std::size_t i = 0; i < curve.size(); ++i)
      EXPECT_NEAR(found[i].train_loss, curve[i].train_loss, 1e-5 * curve[i].train_loss) << i;
  }
}

TEST(TextTraining, ThroughputCountsTokens) {
  // 7 windows: an update of 4, one of 3.
  EXPECT_EQ(TextTraining().run({.epochs = 1, .batch = 4}).samples, 4 * fake_window);
  EXPECT_EQ(TextTraining().run({.epochs = 1, .batch = 4, .accumulate = 2}).samples, 4 * fake_window);
}

TEST(TextTraining, LearnsTowardsALoss) {
  TextTraining training;
  const TrainResult result = training.run({.epochs = 60, .batch = 4, .lr = 0.5});
  const Progress& progress = result.progress;
  EXPECT_LT(progress.evaluations.back().test.loss, 0.1);
  const auto steps = progress.convergence_steps({Metric::loss, 0.5});
  ASSERT_TRUE(steps);
  EXPECT_GT(*steps, 2);
  EXPECT_LT(*steps, 120);
  EXPECT_EQ(progress.best(Metric::loss)->step, 120);
}

TEST(TextTraining, KindOfDataDecidesTheMetric) {
  EXPECT_EQ(metric_of(FakeText().spec()), Metric::loss);
  EXPECT_EQ(metric_of(ImageSpec{}), Metric::accuracy);
  for (const Metric metric : all_metrics) EXPECT_EQ(parse_metric(name_of(metric)), metric);
  EXPECT_THROW(parse_metric("acuracy"), ConfigError);
}

}  // namespace
}  // namespace actlab
