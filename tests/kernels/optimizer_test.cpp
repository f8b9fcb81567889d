// SGD on both backends against sequences computed by hand.
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
INSTANTIATE_TEST_SUITE_P(Devices, Sgd, testing::ValuesIn(device_names()), name_of_param);

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

TEST(SgdOfCpu, HasTheBitsOfReference) {
  for (const bool nesterov : {false, true}) {
    const SgdOptions options{.lr = 0.1, .momentum = 0.9, .nesterov = nesterov};
    for (const std::int64_t n : {1, 7, 64, 1023, 50'001}) {
      TestArray<float> got_w = random_array({n}, 1), want_w = random_array({n}, 1);
      TestArray<float> got_v = random_array({n}, 2), want_v = random_array({n}, 2);
      const auto dw = random_array({n}, 3);
      const SgdArrays got{got_w, dw, got_v, 5e-4}, want{want_w, dw, want_v, 5e-4};
      for (int step = 0; step < 3; ++step) {
        find_backend("cpu").optimizer.sgd(options, {&got, 1});
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
