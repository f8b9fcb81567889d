// Training in bf16: it learns, it is the same every time, and it is not f32.
#include <gtest/gtest.h>

#include "tests/support/training.h"

namespace actlab {
namespace {

struct Variant {
  const char* activation;
  bool batch_norm = false;
  double dropout = 0;
};

const std::vector<Variant> variants = {
    {"gelu"}, {"relu"}, {"gelu", true}, {"swish(learned=channel)"}, {"gelu", false, 0.1}};

TrainingParts parts_of(const Variant& v, DType precision) {
  return {.activation = v.activation,
          .train = 16,
          .batch_norm = v.batch_norm,
          .dropout = v.dropout,
          .precision = precision};
}

TEST(Bfloat16Training, LearnsABatch) {
  for (const Variant& variant : variants) {
    Training training(parts_of(variant, DType::bf16));
    std::vector<double> losses;
    OnStep observer([&](std::int64_t, double loss) { losses.push_back(loss); });
    const TrainResult result = training.run({.steps = 100, .batch = 16, .eval_every = 1}, observer);
    EXPECT_FALSE(result.diverged) << result.message;
    EXPECT_LT(losses.back(), 0.1 * losses.front()) << variant.activation << variant.batch_norm;
  }
}

// f32 in its place would be seen.
TEST(Bfloat16Training, IsTheSameEveryTimeAndIsNotF32) {
  for (const Variant& variant : variants) {
    const auto weights = [&](DType precision) {
      Training training(parts_of(variant, precision));
      training.run({.steps = 3, .batch = 16});
      return weights_of(*training.model);
    };
    const auto halves = weights(DType::bf16), floats = weights(DType::f32);
    EXPECT_EQ(halves, weights(DType::bf16)) << variant.activation;
    std::size_t others = 0;
    for (std::size_t i = 0; i < halves.size(); ++i) others += std::size_t{halves[i] != floats[i]};
    EXPECT_GT(others, halves.size() / 2) << variant.activation;
  }
}

}  // namespace
}  // namespace actlab
