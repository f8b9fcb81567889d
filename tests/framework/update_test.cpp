// What one update of training does: accumulation, clipping, label smoothing, gradients that are not finite.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "framework/autograd/node.h"
#include "framework/nn/init.h"
#include "framework/ops/ops.h"
#include "framework/train/evaluate.h"
#include "framework/train/trainer.h"
#include "kernels/cpu/threads.h"
#include "tests/support/training.h"

namespace actlab {
namespace {

std::int64_t peak(const TrainResult& result, MemoryKind kind) {
  return result.memory.by_kind[static_cast<std::size_t>(kind)].peak;
}

// The loss of every update, with short last batches: of 22 images in batches of 8 the last has 6.
std::vector<Evaluation> loss_curve(const std::string& optimizer, std::int64_t accumulate) {
  Training training({.train = 22, .optimizer = optimizer, .schedule = "one_cycle"});
  return training
      .run({.epochs = 5, .batch = 8, .accumulate = accumulate, .augment = true, .eval_every = 1, .lr = 0.01})
      .progress.evaluations;
}

TEST(Accumulation, ChangesTheLossesByRoundingOnly) {
  for (const std::string optimizer : {"sgd", "adamw"}) {
    const std::vector<Evaluation> whole = loss_curve(optimizer, 1);
    ASSERT_EQ(whole.size(), 15u);
    for (const std::int64_t accumulate : {2, 4, 8}) {
      const std::vector<Evaluation> parts = loss_curve(optimizer, accumulate);
      ASSERT_EQ(parts.size(), whole.size());
      for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_EQ(parts[i].step, whole[i].step);
        EXPECT_EQ(parts[i].epoch, whole[i].epoch);
        EXPECT_EQ(parts[i].lr, whole[i].lr);
        EXPECT_NEAR(parts[i].train_loss, whole[i].train_loss, 1e-4 * whole[i].train_loss)
            << optimizer << ", " << accumulate << " parts, step " << i + 1;
      }
    }
  }
}

// The gradient itself, of a short last batch: 6 images as 4 + 2 must be their mean, not the mean of two
// means.
TEST(Accumulation, TheGradientIsTheMeanOverTheSamplesOfTheUpdate) {
  const auto moved = [](std::int64_t accumulate) {
    Training training({.train = 6});
    training.run({.epochs = 1, .batch = 6, .accumulate = accumulate, .lr = 1});
    return weights_of(*training.model);
  };
  const auto before = weights_of(*Training({.train = 6}).model), whole = moved(1);
  for (const std::int64_t accumulate : {2, 3, 6}) {
    const auto parts = moved(accumulate);
    for (std::size_t i = 0; i < whole.size(); ++i)
      ASSERT_NEAR(parts[i], whole[i], 1e-6 + 1e-4 * std::abs(double{whole[i]} - double{before[i]})) << i;
  }
  // Batches of 8 in parts of 4: one update of 8, one of 4 + 2.
  const auto epoch = [](std::int64_t accumulate) {
    Training training({.train = 14});
    training.run({.epochs = 1, .batch = 8, .accumulate = accumulate, .lr = 0.1});
    return weights_of(*training.model);
  };
  const auto expected = epoch(1), found = epoch(2);
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-6) << i;
}

TEST(Accumulation, MustPartTheBatchEvenly) {
  for (const std::int64_t accumulate : {0, 3, 5, 32}) {
    Training training;
    try {
      training.run({.batch = 16, .accumulate = accumulate});
      FAIL() << accumulate;
    } catch (const ConfigError& e) {
      EXPECT_EQ(std::string(e.what()), concat("train.accumulate = ", accumulate,
                                              ": does not part data.batch = 16 into equal micro-batches"));
    }
  }
}

// A million parameters behind a convolution, whose outputs are what a batch keeps.
class Million : public Module {
 public:
  explicit Million(Backend& backend) {
    Initializer init(0, InitScheme::kaiming, backend);
    filter_ = init.weight({98, 3, 3, 3}, 9, 1);
    bias_ = init.bias(98);
    hidden_ = init.weight({882, 1118}, 1, 1);
    head_ = init.weight({1118, 10}, 1, 1);
    add_parameter("filter", filter_);
    add_parameter("bias", bias_);
    add_parameter("hidden", hidden_);
    add_parameter("head", head_);
  }
  Tensor forward(const Tensor& x) override {
    const auto gelu = ActivationHandle::parse("gelu");
    const Tensor features = activate(conv2d(x, filter_, bias_, {.pad_h = 1, .pad_w = 1}), gelu);
    return matmul(matmul(flatten(max_pool2d(features, 8, 8)), hidden_), head_);
  }

 private:
  Tensor filter_, bias_, hidden_, head_;
};

TEST(Accumulation, KeepsOneSetOfGradientsAndLessOfTheRest) {
  std::vector<std::int64_t> peaks;
  for (const std::int64_t accumulate : {1, 4}) {
    Training training({.train = 64, .test = 8, .size = 24});
    Million model(training.backend);
    const auto& sgd = find_component("optimizer", "sgd", optimizer_types());
    const auto optimizer = sgd.make(Options(sgd.options), model.parameters());
    Trainer trainer(model, *optimizer, [](std::int64_t) { return 1.0; }, *training.data, training.backend,
                    {.epochs = 1, .batch = 32, .accumulate = accumulate, .lr = 1e-4});
    TrainObserver silent;
    const TrainResult result = trainer.run(silent);
    EXPECT_FALSE(result.diverged) << result.message;
    EXPECT_EQ(peak(result, MemoryKind::gradients), 4'000'000) << accumulate;
    peaks.push_back(result.memory.total.peak);
  }
  EXPECT_LE(peaks[1], peaks[0]);
}

TEST(Update, ClipsTheNormOfTheMeanGradient) {
  for (const std::int64_t accumulate : {1, 2}) {
    Training training;
    const auto before = weights_of(*training.model);
    training.run({.steps = 1, .batch = 16, .accumulate = accumulate, .lr = 1, .clip_norm = 1e-3});
    const auto after = weights_of(*training.model);
    double squares = 0;
    for (std::size_t i = 0; i < after.size(); ++i)
      squares += std::pow(double{after[i]} - double{before[i]}, 2);
    // Nesterov's first step is 1 + momentum times the gradient.
    EXPECT_NEAR(std::sqrt(squares), 1.9e-3, 1e-6);
  }
}

TEST(Update, ABoundThatIsNotReachedChangesNoBit) {
  const auto weights = [](double bound) {
    Training training;
    training.run({.epochs = 2, .batch = 16, .lr = 0.01, .clip_norm = bound});
    return weights_of(*training.model);
  };
  EXPECT_EQ(weights(1e6), weights(0));
  EXPECT_NE(weights(1e-3), weights(0));
}

// Spoils the gradient of pass number `at`: the loss stays finite.
class Spoiler : public Module {
 public:
  Spoiler(Module& model, int at) : model_(model), at_(at) { add_part("model", model); }
  Tensor forward(const Tensor& x) override {
    const Tensor y = model_(x);
    if (++passes_ != at_) return y;
    return record("spoil", y.detach(), {y}, {}, [](const BackwardContext& context) {
      Tensor dx = Tensor::empty(context.dy.shape(), context.dy.dtype(), context.dy.backend());
      dx.backend().elementwise.fill(std::numeric_limits<double>::infinity(), dx.mutable_data());
      return std::vector{dx};
    });
  }

 private:
  Module& model_;
  int at_;
  int passes_ = 0;
};

TEST(Update, AGradientThatIsNotFiniteEndsTheRunBeforeTheWeightsChange) {
  for (const double clip_norm : {0.0, 1.0}) {
    Training training;
    Spoiler spoiler(*training.model, 6);  // the second part of the third update
    const auto state = [&] {
      auto all = weights_of(*training.model);
      const auto optimizer = elements_of(training.optimizer->state());
      all.insert(all.end(), optimizer.begin(), optimizer.end());
      return all;
    };
    std::vector<float> before;
    OnStep observer([&](std::int64_t step, double) {
      if (step == 2) before = state();
    });
    Trainer trainer(spoiler, *training.optimizer, [](std::int64_t) { return 1.0; }, *training.data,
                    training.backend,
                    {.epochs = 2, .batch = 16, .accumulate = 2, .eval_every = 100, .clip_norm = clip_norm});
    const TrainResult result = trainer.run(observer);
    EXPECT_TRUE(result.diverged);
    EXPECT_EQ(result.progress.step, 2);
    EXPECT_EQ(result.message, "the gradient of 'model.conv1.weight' was not finite after step 2");
    EXPECT_EQ(state(), before);
    for (const auto& [name, tensor] : training.model->parameters())
      EXPECT_FALSE(tensor.grad().defined()) << name;
    EXPECT_EQ(Node::alive(), 0);
  }
}

TEST(Update, SmoothsTheLabelsOfTrainingOnly) {
  Training training({.train = 16, .test = 16});
  training.data->test = training.data->train;
  const TrainResult result = training.run({.steps = 1, .batch = 16, .lr = 0, .label_smoothing = 0.4});
  const Evaluation& e = result.progress.evaluations.back();
  const Batch batch = training.data->loader(SplitName::train, {.batch = 16})->load(0, 0, training.backend);
  const Tensor logits = training.model->logits(batch);
  EXPECT_NEAR(e.train_loss, cross_entropy(logits, batch.labels, {.label_smoothing = 0.4}).item(), 1e-5);
  EXPECT_NEAR(e.test.loss, cross_entropy(logits, batch.labels).item(), 1e-5);
  EXPECT_GT(std::abs(e.train_loss - e.test.loss), 1e-3);
}

TEST(Update, ThreadCountsAgreeOnTheNormAndTheFirstLosses) {
  std::vector<std::vector<double>> losses;
  for (const int threads : {1, 2}) {
    use_threads(threads);
    losses.emplace_back();
    for (const Evaluation& e : loss_curve("adamw", 2)) losses.back().push_back(e.train_loss);
  }
  use_threads(0);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(losses[0][i], losses[1][i], 1e-4 * losses[0][i]) << i;
}

}  // namespace
}  // namespace actlab
