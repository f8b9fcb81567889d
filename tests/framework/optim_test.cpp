// Optimizers against sequences computed by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "framework/ops/ops.h"
#include "framework/optim/optimizer.h"
#include "tests/support/options.h"

namespace actlab {
namespace {

// Updates w = 1 with the gradients.
std::vector<double> sequence(const std::string& name, const OptionValues& values, double lr,
                             const std::vector<double>& gradients) {
  Tensor w = Tensor::from(std::vector<double>{1}, {1}, find_backend("reference"), MemoryKind::parameters);
  w.require_grad();
  const auto& type = find_component("optimizer", name, optimizer_types());
  const auto optimizer = type.make(options_of(type.options, values), {{"w", w}});
  std::vector<double> weights;
  for (const double gradient : gradients) {
    sum(scale(w, gradient)).backward();
    optimizer->step(lr);
    EXPECT_FALSE(w.grad().defined());
    weights.push_back(w.item());
  }
  return weights;
}

std::vector<double> sgd_sequence(const OptionValues& values) {
  return sequence("sgd", values, 0.5, {0.1, -0.2, 0.3});
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

TEST(AdamW, StepsWithoutDecay) {
  const auto near = [](const std::vector<double>& found, const std::vector<double>& wanted) {
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-9) << i;
  };
  const OptionValues plain = {{"weight_decay", 0.0}};
  near(sequence("adamw", plain, 0.001, {0.1, -0.2, 0.3}), {0.999, 0.999366104, 0.999022863});
  near(sequence("adamw", plain, 0.001, {0, 0, 0.5}), {1, 1, 0.999361186});
  // The rate may change from step to step; without memory each is the rate times the gradient's sign.
  near(sequence("adamw", {{"weight_decay", 0.0}, {"beta1", 0.0}, {"beta2", 0.0}}, 0.25, {3, -8, 1e-3}),
       {0.75, 1, 0.750002499975});
}

TEST(AdamW, RefusesWhatCannotWork) {
  const auto& type = find_component("optimizer", "adamw", optimizer_types());
  for (const auto& [name, value] : std::vector<std::pair<std::string, double>>{
           {"beta1", 1}, {"beta2", 1}, {"beta1", -0.1}, {"eps", 0}, {"weight_decay", -1}, {"lr", -1}})
    EXPECT_THROW(options_of(type.options, {{name, value}}), ConfigError) << name;
}

// Moments and the count of steps are all that another optimizer needs.
TEST(Optimizers, GoOnFromTheirState) {
  Backend& cpu = find_backend("cpu");
  for (const OptimizerType& type : optimizer_types()) {
    SCOPED_TRACE(type.name);
    const auto run = [&](bool resumed) {
      Tensor w = Tensor::from(std::vector<float>{1, -2}, {2}, cpu, MemoryKind::parameters).require_grad();
      auto optimizer = type.make(Options(type.options), {{"w", w}});
      for (int step = 0; step < 6; ++step) {
        if (resumed && step == 3) {
          auto next = type.make(Options(type.options), {{"w", w}});
          const auto from = optimizer->state(), to = next->state();
          EXPECT_EQ(from.size(), to.size());
          for (std::size_t i = 0; i < to.size(); ++i) {
            EXPECT_EQ(from[i].name, to[i].name);
            Tensor tensor = to[i].tensor;
            cpu.memory.copy(tensor.mutable_data().data, from[i].tensor.data().data, tensor.bytes());
          }
          optimizer = std::move(next);
        }
        sum(multiply(w, w)).backward();
        optimizer->step(0.1);
      }
      return w.to_vector<float>();
    };
    EXPECT_EQ(run(true), run(false));
  }
}

// One step from w = 1 with no gradient but a decay; of a matrix, a vector and a scalar.
std::vector<double> decayed(const std::string& name, const OptionValues& values) {
  std::vector<NamedParameter> parameters;
  for (const Shape& shape : {Shape{1, 1}, Shape{1}, Shape{}}) {
    Tensor w = Tensor::from(std::vector<double>{1}, shape, find_backend("reference"), MemoryKind::parameters);
    parameters.push_back({concat("w", parameters.size()), w.require_grad()});
    sum(scale(w, 0.0)).backward();
  }
  const auto& type = find_component("optimizer", name, optimizer_types());
  type.make(options_of(type.options, values), parameters)->step(0.5);
  std::vector<double> weights;
  for (const NamedParameter& p : parameters) weights.push_back(p.tensor.item());
  return weights;
}

TEST(Optimizers, DecayBiasesOnlyWhereAsked) {
  for (const OptimizerType& type : optimizer_types()) {
    SCOPED_TRACE(type.name);
    OptionValues values = {{"weight_decay", 0.1}};
    if (type.name == "sgd") values.push_back({"nesterov", false});
    expect_near(decayed(type.name, values), {0.95, 0.95, 0.95});
    values.push_back({"decay_biases", false});
    expect_near(decayed(type.name, values), {0.95, 1, 1});
  }
}

TEST(Optimizers, LeaveParametersWithoutGradientAlone) {
  for (const OptimizerType& type : optimizer_types()) {
    Tensor w = Tensor::from(std::vector<double>{1}, {1}, find_backend("reference"), MemoryKind::parameters);
    w.require_grad();
    type.make(Options(type.options), {{"w", w}})->step(1.0);
    EXPECT_EQ(w.item(), 1.0) << type.name;
  }
}

TEST(Optimizers, UnknownNamesGetTheNearest) {
  try {
    find_component("optimizer", "sdg", optimizer_types());
    FAIL();
  } catch (const ConfigError& e) {
    EXPECT_NE(std::string(e.what()).find("nearest: sgd"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace actlab
