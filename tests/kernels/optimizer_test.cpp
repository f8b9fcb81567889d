// Optimizers on both backends against sequences computed by hand; norms of huge and tiny arrays.
#include <limits>

#include "kernels/cpu/threads.h"
#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

class Sgd : public EveryDevice {
 protected:
  /// The weight after each of the gradients, from w = 1 and velocity 0.
  std::vector<float> run(const SgdOptions& options, const std::vector<float>& gradients,
                         double weight_decay = 0) {
    TestArray<float> w({1}, {1}), velocity({1}, {0});
    std::vector<float> path;
    for (const float gradient : gradients) {
      const TestArray<float> dw({1}, {gradient});
      const SgdArrays arrays{w, dw, velocity, weight_decay};
      backend().optimizer.sgd(options, {&arrays, 1});
      path.push_back(w[0]);
    }
    EXPECT_TRUE(w.guards_hold() && velocity.guards_hold());
    return path;
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, Sgd, testing::ValuesIn(tested_devices()), name_of_param);

// All numbers are short binary fractions, so every step is exact.
TEST_P(Sgd, StepsAgainstTheGradient) {
  EXPECT_EQ(run({.lr = 0.5}, {1, -2}), (std::vector<float>{0.5f, 1.5f}));
}

TEST_P(Sgd, MomentumCarriesOn) {
  // v = 1, 2.5, 0.25
  EXPECT_EQ(run({.lr = 0.5, .momentum = 0.5}, {1, 2, -1}), (std::vector<float>{0.5f, -0.75f, -0.875f}));
}

TEST_P(Sgd, NesterovLooksAhead) {
  // v as above; steps 1.5, 3.25, -0.875
  EXPECT_EQ(run({.lr = 0.5, .momentum = 0.5, .nesterov = true}, {1, 2, -1}),
            (std::vector<float>{0.25f, -1.375f, -0.9375f}));
}

TEST_P(Sgd, WeightDecayPullsToZero) {
  // g = 1 + 0.5, w = 0.25; g = 2 + 0.125, v = 2.875, w = -1.1875
  EXPECT_EQ(run({.lr = 0.5, .momentum = 0.5}, {1, 2}, 0.5), (std::vector<float>{0.25f, -1.1875f}));
}

TEST_P(Sgd, DoesNotReadTheVelocityWithoutMomentum) {
  TestArray<float> w({1}, {1});
  const TestArray<float> dw({1}, {1});
  const SgdArrays arrays{w, dw, {}};
  backend().optimizer.sgd({.lr = 1}, {&arrays, 1});
  EXPECT_EQ(w[0], 0);
}

class AdamW : public EveryDevice {
 protected:
  /// The weight after each of the gradients, from w = 1 and moments 0.
  std::vector<double> run(AdamWOptions options, const std::vector<float>& gradients,
                          double weight_decay = 0) {
    TestArray<float> w({1}, {1}), first({1}, {0}), second({1}, {0});
    std::vector<double> path;
    for (const float gradient : gradients) {
      const TestArray<float> dw({1}, {gradient});
      const AdamWArrays arrays{w, dw, first, second, weight_decay};
      backend().optimizer.adamw(options, {&arrays, 1});
      ++options.step;
      path.push_back(double{w[0]});
    }
    EXPECT_TRUE(w.guards_hold() && first.guards_hold() && second.guards_hold());
    return path;
  }
  void expect_path(const std::vector<double>& path, const std::vector<double>& wanted) {
    ASSERT_EQ(path.size(), wanted.size());
    for (std::size_t i = 0; i < path.size(); ++i) EXPECT_NEAR(path[i], wanted[i], 1e-7 * wanted[i]) << i;
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, AdamW, testing::ValuesIn(tested_devices()), name_of_param);

TEST_P(AdamW, CorrectsTheBiasOfTheStart) {
  expect_path(run({.lr = 1e-3}, {0.1f, -0.2f, 0.3f}), {0.999, 0.999366104, 0.999022863});
  // Without memory every step is lr times the gradient's sign.
  expect_path(run({.lr = 1e-3, .beta1 = 0, .beta2 = 0}, {0.1f, -0.2f, 300}), {0.999, 1, 0.999});
}

TEST_P(AdamW, AGradientOfZeroMovesNothing) {
  expect_path(run({.lr = 1e-3}, {0, 0, 0.5f}), {1, 1, 0.999361186});
}

TEST_P(AdamW, DecaysApartFromTheMoments) { expect_path(run({.lr = 0.1}, {0}, 0.1), {0.99}); }

TEST_P(AdamW, TakesGradientsOfAnySize) {
  // The squares are beyond the range of floats at either end: steps stay finite, and come back to lr.
  expect_path(run({.lr = 0.1}, {1e30f}), {0.9});
  expect_path(run({.lr = 0.1}, {1e-30f}), {1});
  std::vector<float> gradients(3000, 1.0f);
  gradients[0] = -1e20f;
  const std::vector<double> path = run({.lr = 0.1, .beta1 = 0, .beta2 = 0.9}, gradients);
  EXPECT_FLOAT_EQ(static_cast<float>(path[0]), 1.1f);
  EXPECT_NEAR(path[2998] - path[2999], 0.1, 1e-4);
}

TEST(AdamWOfCpu, HasTheBitsOfReference) {
  AdamWOptions options{.lr = 0.1};
  for (const std::int64_t n : {1, 7, 64, 1023, 50'001}) {
    TestArray<float> got_w = random_array({n}, 1), want_w = random_array({n}, 1);
    TestArray<float> got_m({n}, std::vector<float>(static_cast<std::size_t>(n)));
    TestArray<float> got_v = got_m, want_m = got_m, want_v = got_m;
    const auto dw = random_array({n}, 3);
    const AdamWArrays got{got_w, dw, got_m, got_v, 5e-4}, want{want_w, dw, want_m, want_v, 5e-4};
    for (options.step = 1; options.step <= 3; ++options.step) {
      tested().optimizer.adamw(options, {&got, 1});
      reference().optimizer.adamw(options, {&want, 1});
    }
    expect_same_bits(got_w, want_w);
    expect_same_bits(got_m, want_m);
    expect_same_bits(got_v, want_v);
    EXPECT_TRUE(got_w.guards_hold() && got_m.guards_hold() && got_v.guards_hold());
  }
}

class GradientNorms : public EveryDevice {
 protected:
  double norm(const ConstArray& array) {
    double result = -1;
    backend().optimizer.norms({&array, 1}, {&result, 1});
    return result;
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, GradientNorms, testing::ValuesIn(tested_devices()), name_of_param);

TEST_P(GradientNorms, OfEveryLength) {
  for (const std::int64_t n : {0, 1, 7, 8, 9, 4095, 4096, 4097, 100'003}) {
    const TestArray<float> x({n}, std::vector<float>(static_cast<std::size_t>(n), -3.0f));
    EXPECT_NEAR(norm(x), 3 * std::sqrt(static_cast<double>(n)), 1e-9) << n;
  }
}

TEST_P(GradientNorms, OfOneNumberIsItsSize) {
  for (const float x :
       {0.0f, 2.302585f, 1.0e-8f / 3, 1.0e-45f, 1.0e38f / 3, std::numeric_limits<float>::max()}) {
    EXPECT_EQ(norm(TestArray<float>({}, {x})), double{x});
    EXPECT_EQ(norm(TestArray<float>({}, {-x})), double{x});
  }
}

TEST_P(GradientNorms, OverflowsForNoFloat) {
  EXPECT_NEAR(norm(TestArray<float>({100}, std::vector<float>(100, 1e20f))), 1e21, 1e15);
  EXPECT_NEAR(norm(TestArray<float>({2}, {3e38f, 0})), 3e38, 1e32);
  EXPECT_NEAR(norm(TestArray<float>({2}, {1e-45f, 0})), 1.4013e-45, 1e-49);
  constexpr float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(norm(TestArray<float>({2}, {1, -inf})), inf);
  EXPECT_FALSE(std::isfinite(norm(TestArray<float>({3}, {1, std::nanf(""), inf}))));
}

TEST(NormsOfCpu, HaveTheSameBitsForAnyThreads) {
  const auto x = random_array({1'000'003}, 1);
  const ConstArray array = x;
  double one = 0, more = 0;
  use_threads(1);
  tested().optimizer.norms({&array, 1}, {&one, 1});
  use_threads(3);
  tested().optimizer.norms({&array, 1}, {&more, 1});
  use_threads(0);
  EXPECT_EQ(one, more);
}

TEST(SgdOfCpu, HasTheBitsOfReference) {
  for (const bool nesterov : {false, true}) {
    const SgdOptions options{.lr = 0.1, .momentum = 0.9, .nesterov = nesterov};
    for (const std::int64_t n : {1, 7, 64, 1023, 50'001}) {
      TestArray<float> got_w = random_array({n}, 1), want_w = random_array({n}, 1);
      TestArray<float> got_v = random_array({n}, 2), want_v = random_array({n}, 2);
      const auto dw = random_array({n}, 3);
      const SgdArrays got{got_w, dw, got_v, 5e-4}, want{want_w, dw, want_v, 5e-4};
      for (int step = 0; step < 3; ++step) {
        tested().optimizer.sgd(options, {&got, 1});
        reference().optimizer.sgd(options, {&want, 1});
      }
      expect_same_bits(got_w, want_w);
      expect_same_bits(got_v, want_v);
      EXPECT_TRUE(got_w.guards_hold() && got_v.guards_hold());
    }
  }
}

}  // namespace
}  // namespace actlab
