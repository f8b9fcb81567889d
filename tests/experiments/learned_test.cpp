// Trained parameters in the results: what is written of a layer and of channels, and the range that is shown.
#include "experiments/results/learned.h"

#include <gtest/gtest.h>

#include "framework/nn/layers.h"

namespace actlab {
namespace {

TEST(LearnedValues, AreTheValueOfALayerAndTheRangeOfChannels) {
  Backend& cpu = find_backend("cpu");
  Initializer init(0, InitScheme::xavier, cpu);
  Sequential model;
  model.add("a",
            std::make_unique<Activation>(ActivationHandle::parse("swish(beta=2, learned=layer)"), 3, init));
  model.add("b", std::make_unique<Activation>(ActivationHandle::parse("swish(learned=channel)"), 3, init));
  Tensor beta = model.learned()[1].tensor;
  const std::vector<float> moved = {0.5F, 3, 1};
  cpu.memory.copy_from_host(beta.mutable_data().data, moved.data(), beta.bytes());
  EXPECT_EQ(learned_values(model.learned()),
            (LearnedValues{{"a.beta", 2}, {"b.beta.mean", 1.5}, {"b.beta.min", 0.5}, {"b.beta.max", 3}}));
  EXPECT_TRUE(learned_values({}).empty());
}

TEST(LearnedValues, RangeIsOverLayersChannelsAndRuns) {
  EXPECT_EQ(learned_range({{{"a.beta", 1.2345}, {"b.beta.min", 0.5}, {"b.beta.max", 1}}, {{"a.beta", 2}}}),
            "beta 0.5..2");
  EXPECT_EQ(learned_range({{{"act.sigma", 1.2345}}}), "sigma 1.23..1.23");
  EXPECT_EQ(learned_range({{{"a.beta", -1e-5}}, {{"a.sigma", 100}}}), "beta -1e-05..-1e-05, sigma 100..100");
  EXPECT_EQ(learned_range({}), "");
  EXPECT_EQ(learned_range({{}, {}}), "");
}

}  // namespace
}  // namespace actlab
