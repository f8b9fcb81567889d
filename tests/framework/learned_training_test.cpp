// Training with a learned activation: its parameter moves and the loss falls, and no update takes it out of
// its range.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/training.h"

namespace actlab {
namespace {

std::vector<float> learned_of(const Module& model) {
  std::vector<float> all;
  for (const LearnedParameter& p : model.learned()) {
    const auto values = p.tensor.to_vector<float>();
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

TEST(LearnedTraining, ParameterMovesAndTheLossFalls) {
  for (const char* activation : {"swish(learned=layer)", "swish(learned=channel)",
                                 "gelu_scaled(learned=layer)", "gelu_scaled(learned=channel)"}) {
    Training training({.activation = activation, .train = 16});
    std::vector<double> losses;
    OnStep observer([&](std::int64_t, double loss) { losses.push_back(loss); });
    const std::vector<float> before = learned_of(*training.model);
    training.run({.steps = 100, .batch = 16, .eval_every = 1}, observer);
    const std::vector<float> after = learned_of(*training.model);
    EXPECT_LT(losses.back(), 0.1 * losses.front()) << activation;
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(before[i], 1.0F);
      EXPECT_NE(after[i], 1.0F) << activation;
    }
  }
}

// Adam's first step is as long as the rate: sigma would leave [0.01, 100] at once.
TEST(LearnedTraining, ParametersStayInTheirRange) {
  Training training({.activation = "gelu_scaled(sigma=0.02, learned=channel)", .optimizer = "adamw"});
  float least = 1;
  OnStep observer([&](std::int64_t, double) {
    const std::vector<float> sigma = learned_of(*training.model);
    least = std::min(least, *std::min_element(sigma.begin(), sigma.end()));
  });
  const TrainResult result = training.run({.steps = 5, .batch = 16, .lr = 0.05}, observer);
  EXPECT_FALSE(result.diverged) << result.message;
  EXPECT_EQ(least, 0.01F);
}

}  // namespace
}  // namespace actlab
