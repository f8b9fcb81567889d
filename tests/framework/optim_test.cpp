// SGD against a sequence computed by hand, and the schedules' exact values.
#include <gtest/gtest.h>

#include <cmath>

#include "framework/ops/ops.h"
#include "framework/optim/optimizer.h"
#include "framework/optim/schedule.h"

namespace actlab {
namespace {

Options options_of(const std::vector<Option>& declared,
                   const std::vector<std::pair<std::string, OptionValue>>& values) {
  Options options(declared);
  for (const auto& [name, value] : values) options.set(name, value);
  return options;
}

// Updates w = 1 with the gradients 0.1, -0.2, 0.3 at a rate of 0.5.
std::vector<double> sgd_sequence(const std::vector<std::pair<std::string, OptionValue>>& values) {
  Tensor w = Tensor::from(std::vector<double>{1}, {1}, find_backend("reference"), MemoryKind::parameters);
  w.require_grad();
  const auto& type = find_component("optimizer", "sgd", optimizer_types());
  const auto optimizer = type.make(options_of(type.options, values), {{"w", w}});
  std::vector<double> weights;
  for (const double gradient : {0.1, -0.2, 0.3}) {
    sum(scale(w, gradient)).backward();
    optimizer->step(0.5);
    EXPECT_FALSE(w.grad().defined());
    weights.push_back(w.item());
  }
  return weights;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted) {
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-15) << i;
}

TEST(Sgd, WithoutMomentum) {
  expect_near(sgd_sequence({{"momentum", 0.0}, {"nesterov", false}}), {0.95, 1.05, 0.9});
}

TEST(Sgd, WithMomentum) {
  // v: 0.1, -0.11, 0.201
  expect_near(sgd_sequence({{"momentum", 0.9}, {"nesterov", false}}), {0.95, 1.005, 0.9045});
}

TEST(Sgd, WithNesterovMomentum) {
  // g + 0.9 v: 0.19, -0.299, 0.4809
  expect_near(sgd_sequence({{"momentum", 0.9}, {"nesterov", true}}), {0.905, 1.0545, 0.81405});
}

TEST(Sgd, WithWeightDecay) {
  // g: 0.1 + 0.1, -0.2 + 0.09, 0.3 + 0.0955
  expect_near(sgd_sequence({{"momentum", 0.0}, {"nesterov", false}, {"weight_decay", 0.1}}),
              {0.9, 0.955, 0.75725});
}

TEST(Sgd, LeavesParametersWithoutGradientAlone) {
  Tensor w = Tensor::from(std::vector<double>{1}, {1}, find_backend("reference"), MemoryKind::parameters);
  w.require_grad();
  const auto& type = find_component("optimizer", "sgd", optimizer_types());
  type.make(Options(type.options), {{"w", w}})->step(1.0);
  EXPECT_EQ(w.item(), 1.0);
}

TEST(Optimizers, UnknownNamesGetTheNearest) {
  try {
    find_component("optimizer", "sdg", optimizer_types());
    FAIL();
  } catch (const ConfigError& e) {
    EXPECT_NE(std::string(e.what()).find("nearest: sgd"), std::string::npos) << e.what();
  }
}

Schedule schedule(const std::string& name, const std::vector<std::pair<std::string, OptionValue>>& values,
                  std::int64_t total) {
  const auto& type = find_component("schedule", name, schedule_types());
  return type.make(options_of(type.options, values), total);
}

TEST(Schedule, CosineFallsFromTheBaseToItsFloorAndStays) {
  const Schedule lr = schedule("cosine", {}, 10);
  const std::vector<std::pair<std::int64_t, double>> expected = {
      {0, 1}, {1, 0.975528258}, {5, 0.5}, {9, 0.0244717419}, {10, 0}, {11, 0}, {15, 0}};
  for (const auto& [t, value] : expected) EXPECT_NEAR(lr(t), value, 1e-9) << t;
  const Schedule floored = schedule("cosine", {{"floor", 0.1}}, 10);
  EXPECT_NEAR(floored(10), 0.1, 1e-15);
  EXPECT_NEAR(floored(5), 0.55, 1e-15);
}

TEST(Schedule, WarmUpRisesLinearlyToTheBase) {
  const Schedule lr = schedule("cosine", {{"warmup", std::int64_t{4}}}, 14);
  for (const auto& [t, value] :
       std::vector<std::pair<std::int64_t, double>>{{0, 0.25}, {3, 1}, {4, 1}, {9, 0.5}, {14, 0}})
    EXPECT_NEAR(lr(t), value, 1e-12) << t;
  const Schedule constant = schedule("constant", {{"warmup", std::int64_t{2}}}, 14);
  EXPECT_EQ(constant(0), 0.5);
  EXPECT_EQ(constant(1), 1.0);
  EXPECT_EQ(constant(1000), 1.0);
}

}  // namespace
}  // namespace actlab
