// Layers that differ between training and evaluation: batch norm and its running statistics, dropout; and
// layer norm, average-pooling.
#include "framework/nn/norm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/autograd/engine.h"
#include "framework/autograd/node.h"
#include "framework/nn/layers.h"
#include "framework/train/evaluate.h"
#include "kernels/cpu/threads.h"
#include "tests/support/message_of.h"
#include "tests/support/training.h"

namespace actlab {
namespace {

Backend& cpu() { return find_backend("cpu"); }

Initializer initializer(std::uint64_t seed = 1) { return {seed, InitScheme::kaiming, cpu()}; }

Tensor input(const std::vector<float>& values, const Shape& shape) {
  Tensor x = Tensor::from(values, shape, cpu());
  return x.require_grad();
}

std::vector<float> buffer(const Module& module, const std::string& name) {
  for (const auto& [found, tensor] : module.buffers())
    if (found == name) return tensor.to_vector<float>();
  ADD_FAILURE() << "no buffer " << name;
  return {};
}

TEST(BatchNorm2d, MomentumIsTheWeightOfTheNewValue) {
  Initializer init = initializer();
  BatchNorm2d norm(1, init);
  const Tensor x = input({1, 4, 2, 3}, {1, 2, 2, 1});  // mean 2.5, unbiased variance 5 / 3
  norm(x);
  EXPECT_FLOAT_EQ(buffer(norm, "running_mean")[0], 0.25F);
  norm(x);
  EXPECT_FLOAT_EQ(buffer(norm, "running_mean")[0], 0.475F);
  EXPECT_FLOAT_EQ(buffer(norm, "running_var")[0], 0.81F + 0.19F * 5 / 3);
}

TEST(BatchNorm2d, NormalisesByTheBiasedVariance) {
  Initializer init = initializer();
  BatchNorm2d norm(1, init);
  const std::vector<float> y = norm(input({1, 4, 2, 3}, {4, 1, 1, 1})).to_vector<float>();
  EXPECT_NEAR(y[1], 1.5 / std::sqrt(1.25 + 1e-5), 1e-6);
}

TEST(BatchNorm2d, EvaluationUsesTheRunningStatisticsAndLeavesThem) {
  Initializer init = initializer();
  BatchNorm2d norm(2, init, {.momentum = 1});
  norm(input({1, 10, 4, 30, 2, 20, 3, 40}, {2, 1, 2, 2}));  // means 2.5 and 25, variances 5/3 and 500/3
  const auto mean = buffer(norm, "running_mean"), variance = buffer(norm, "running_var");
  norm.eval();
  Tensor x = input({3.5F, 25}, {1, 1, 1, 2});
  const Tensor y = norm(x);
  EXPECT_NEAR(y.to_vector<float>()[0], 1 / std::sqrt(5.0 / 3 + 1e-5), 1e-6);
  EXPECT_EQ(y.to_vector<float>()[1], 0);
  sum(y).backward();  // the statistics are constants
  EXPECT_NEAR(x.grad().to_vector<float>()[0], 1 / std::sqrt(5.0 / 3 + 1e-5), 1e-6);
  EXPECT_EQ(buffer(norm, "running_mean"), mean);
  EXPECT_EQ(buffer(norm, "running_var"), variance);
}

TEST(BatchNorm2d, OneValueAChannelIsRefusedInTrainingAndTakenInEvaluation) {
  Initializer init = initializer();
  BatchNorm2d norm(3, init);
  const Tensor x = input({1, 2, 3}, {1, 1, 1, 3});
  const std::string message = message_of([&] { norm(x); });
  EXPECT_NE(message.find("at least two values, the input (1, 1, 1, 3) has 1"), std::string::npos) << message;
  EXPECT_EQ(buffer(norm, "running_var"), (std::vector<float>{1, 1, 1}));
  norm.eval();
  EXPECT_NEAR(norm(x).to_vector<float>()[2], 3, 1e-4);
}

// Batch norm of globally pooled features: a last batch of one image leaves it one value a channel.
struct PooledNorm : Module {
  explicit PooledNorm(Initializer& init) : norm(3, init), head(3, 10, init, 1.0) {
    add_part("norm", norm);
    add_part("head", head);
  }
  Tensor forward(const Tensor& x) override { return head(flatten(norm(avg_pool2d(x, 8, 8)))); }
  BatchNorm2d norm;
  Linear head;
};

TEST(BatchNorm2d, ALastBatchOfOneImageEndsTrainingWithoutNaN) {
  Training training({.train = 101});
  Initializer init = initializer();
  PooledNorm model(init);
  const auto& sgd = find_component("optimizer", "sgd", optimizer_types());
  const auto optimizer = sgd.make(Options(sgd.options), model.parameters());
  Trainer trainer(model, *optimizer, [](std::int64_t) { return 1.0; }, *training.data, training.backend,
                  {.epochs = 2, .batch = 10, .lr = 0.01});
  std::int64_t finished = 0;
  OnStep observer([&](std::int64_t step, double) { finished = step; });
  const std::string message = message_of([&] { trainer.run(observer); });
  EXPECT_NE(message.find("at least two values, the input (1, 1, 1, 3) has 1"), std::string::npos) << message;
  EXPECT_EQ(finished, 10);
  for (const float variance : buffer(model.norm, "running_var")) EXPECT_TRUE(std::isfinite(variance));
  const Score score = evaluate(model, *training.data, SplitName::train, 1, training.backend);
  EXPECT_TRUE(std::isfinite(score.loss));
}

TEST(BatchNorm2d, RefusesOtherShapesAndOptions) {
  Initializer init = initializer();
  BatchNorm2d norm(3, init);
  EXPECT_NE(message_of([&] { norm(input({1, 2}, {2, 1})); }).find("x (N, H, W, 3)"), std::string::npos);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(BatchNorm2d(3, init, {.epsilon = 0}), ConfigError);
  EXPECT_THROW(BatchNorm2d(3, init, {.momentum = 1.5}), ConfigError);
  EXPECT_THROW(BatchNorm2d(3, init, {.momentum = nan}), ConfigError);
  EXPECT_THROW(LayerNorm(3, init, nan), ConfigError);
}

TEST(BatchNorm2d, KeepsItsInputAndTheMoments) {
  Initializer init = initializer();
  BatchNorm2d norm(2, init);
  const Tensor x = input(std::vector<float>(32, 1), {2, 4, 2, 2});
  EXPECT_EQ(saved_bytes(sum(norm(x))), 32 * 4 + 2 * 2 * 8);
  LayerNorm layer(8, init);
  EXPECT_EQ(saved_bytes(sum(layer(input(std::vector<float>(32, 1), {4, 8})))), 32 * 4 + 2 * 4 * 8);
}

// Halves are computed as f32, so that sums keep their digits.
TEST(Norms, ConstantRowsOfHalvesBecomeZero) {
  Initializer init = initializer();
  BatchNorm2d batch(1, init);
  LayerNorm layer(256, init);
  for (const DType dtype : {DType::bf16, DType::f16}) {
    for (const float value : {1234.0F, 0.1F, dtype == DType::bf16 ? 1e10F : 6e4F}) {
      Tensor x = cast(input(std::vector<float>(256, value), {1, 256}).detach(), dtype);
      x.require_grad();
      for (const Tensor& y : {layer(x), batch(x.reshape({1, 16, 16, 1}))}) {
        EXPECT_EQ(y.dtype(), dtype);
        x.clear_grad();
        sum(cast(y, DType::f32)).backward();
        for (const float v : cast(y.detach(), DType::f32).to_vector<float>()) EXPECT_NEAR(v, 0, 1e-3);
        for (const float v : cast(x.grad(), DType::f32).to_vector<float>()) EXPECT_TRUE(std::isfinite(v));
      }
    }
  }
}

TEST(Norms, LayerNormOfEachRow) {
  Initializer init = initializer();
  LayerNorm norm(4, init);
  const std::vector<float> y =
      norm(input({2000.125F, 1999.5F, 2001, 1999.25F, 1, 1, 1, 1}, {2, 1, 4})).to_vector<float>();
  const std::vector<double> want{0.23136987, -0.69410961, 1.52704114, -1.0643014, 0, 0, 0, 0};
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(y[i], want[i], 1e-6);
  EXPECT_NE(message_of([&] { norm(input({1, 2}, {1, 2})); }).find("layer_norm"), std::string::npos);
}

TEST(Dropout, BackwardHasTheMaskOfForward) {
  for (const int threads : {1, 4}) {
    use_threads(threads);
    Initializer init = initializer();
    Dropout layer(0.5, init);
    Tensor x = input(std::vector<float>(1024, 1), {1024});
    const Tensor y = layer(x);
    EXPECT_EQ(saved_bytes(sum(y)), 0);
    sum(y).backward();
    const std::vector<float> values = y.to_vector<float>();
    EXPECT_EQ(x.grad().to_vector<float>(), values);
    double mean = 0;
    for (const float v : values) mean += static_cast<double>(v) / 1024;
    EXPECT_NEAR(mean, 1, 0.1);
    EXPECT_TRUE(std::all_of(values.begin(), values.end(), [](float v) { return v == 0 || v == 2; }));
  }
  use_threads(0);
}

TEST(Dropout, EndsOfTheRange) {
  Initializer init = initializer();
  Tensor x = input({1, -2, 3}, {3});
  Dropout all(1, init), none(0, init);
  const Tensor y = all(x);
  EXPECT_EQ(y.to_vector<float>(), (std::vector<float>{0, 0, 0}));
  sum(y).backward();
  EXPECT_EQ(x.grad().to_vector<float>(), (std::vector<float>{0, 0, 0}));
  x.clear_grad();
  EXPECT_EQ(none(x).storage(), x.storage());  // no copy
  sum(none(x)).backward();
  EXPECT_EQ(x.grad().to_vector<float>(), (std::vector<float>{1, 1, 1}));
  for (const double p : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(Dropout(p, init), ConfigError) << p;
    EXPECT_THROW(dropout(x, p, Random(0, RandomPurpose::dropout)), Error) << p;
  }
}

TEST(Dropout, MasksBelongToSeedLayerAndPass) {
  const Tensor x = Tensor::from(std::vector<float>(128, 1), {128}, cpu());
  const auto mask = [&](std::uint64_t seed, int layer, std::int64_t pass) {
    Initializer init = initializer(seed);
    for (int i = 0; i < layer; ++i) Dropout(0.5, init);
    Dropout dropout(0.5, init);
    dropout.train(pass);
    return dropout(x).to_vector<float>();
  };
  EXPECT_EQ(mask(1, 0, 5), mask(1, 0, 5));
  EXPECT_NE(mask(1, 0, 5), mask(2, 0, 5));
  EXPECT_NE(mask(1, 0, 5), mask(1, 1, 5));
  EXPECT_NE(mask(1, 0, 5), mask(1, 0, 6));
}

TEST(Dropout, IsTheIdentityInEvaluation) {
  Initializer init = initializer();
  Dropout layer(0.5, init);
  layer.eval();
  const Tensor x = input({1, 2, 3}, {3});
  EXPECT_EQ(layer(x).storage(), x.storage());
}

TEST(Dropout, DoesNotMoveTheWeightsOfLaterLayers) {
  Initializer with = initializer(), without = initializer();
  Dropout layer(0.5, with);
  EXPECT_EQ(with.weight({3, 4}, 1, 1).to_vector<float>(), without.weight({3, 4}, 1, 1).to_vector<float>());
}

TEST(Modules, ModesReachEveryPart) {
  Initializer init = initializer();
  auto inner = std::make_unique<Sequential>();
  inner->add("norm", std::make_unique<BatchNorm2d>(2, init));
  const Module& part = *inner;
  Sequential model;
  model.add("block", std::move(inner));
  EXPECT_TRUE(part.training());
  model.train(7);
  {
    const EvaluationMode evaluation(model);
    EXPECT_FALSE(part.training());
  }
  EXPECT_TRUE(part.training());
  EXPECT_EQ(part.pass(), 7);
  model.eval();
  { const EvaluationMode evaluation(model); }
  EXPECT_FALSE(part.training());
  std::vector<std::string> names;
  for (const auto& [name, tensor] : model.buffers()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"block.norm.running_mean", "block.norm.running_var"}));
  names.clear();
  for (const auto& [name, tensor] : model.parameters()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"block.norm.weight", "block.norm.bias"}));
}

TEST(AvgPool2d, TakesMeansAndRefusesWhatDoesNotFit) {
  AvgPool2d pool(2);
  EXPECT_EQ(pool(input({1, 2, 3, 4}, {1, 2, 2, 1})).to_vector<float>(), (std::vector<float>{2.5}));
  EXPECT_NE(message_of([&] {
              pool(input({1, 2}, {1, 1, 2, 1}));
            }).find("2 x 2 does not fit the input 1 x 2"),
            std::string::npos);
  const Tensor x = input({1, 2, 3, 4}, {1, 2, 2, 1});
  for (const auto& [kernel, stride] : {std::pair{0, 1}, std::pair{1, 0}})
    EXPECT_THROW(avg_pool2d(x, kernel, stride), Error);
}

}  // namespace
}  // namespace actlab
