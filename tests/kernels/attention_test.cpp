// The softmax of attention: probabilities, padding, its gradient, and the cpu against the reference.
#include "tests/kernels/arrays.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

class AttentionTest : public EveryDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, AttentionTest, testing::ValuesIn(tested_devices()), name_of_param);

using Lengths = TestArray<std::int32_t>;

constexpr float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();

TEST_P(AttentionTest, IsTheSoftmaxOfTheScaledScores) {
  const TestArray<float> scores({1, 1, 1, 3}, {0, 2, 4});
  TestArray<float> p({1, 1, 1, 3});
  backend().attention.softmax(0.5, scores, {}, p);
  const double sum = 1 + std::exp(1) + std::exp(2);
  for (const int i : {0, 1, 2}) EXPECT_NEAR(p[i], std::exp(i) / sum, 1e-7);
}

TEST_P(AttentionTest, PaddedKeysAreExactlyZeroWhateverTheyHold) {
  TestArray<float> scores({2, 1, 2, 3}, {1, 1, 1, 2, 2, 2, 5, nan, inf, 6, nan, -inf});
  backend().attention.softmax(1, scores, Lengths({2}, {2, 1}), scores);
  EXPECT_EQ(scores.values(), (std::vector<float>{.5, .5, 0, .5, .5, 0, 1, 0, 0, 1, 0, 0}));
  const TestArray<float> dy({2, 1, 2, 3}, {1, 3, nan, 3, 1, nan, 9, nan, nan, 9, nan, nan});
  TestArray<float> dx({2, 1, 2, 3});
  backend().attention.softmax_backward(2, scores, Lengths({2}, {2, 1}), dy, dx);
  EXPECT_EQ(dx.values(), (std::vector<float>{-1, 1, 0, 1, -1, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(dx.guards_hold());
}

TEST_P(AttentionTest, LengthsOutsideAreNamed) {
  TestArray<float> scores({2, 1, 3, 3}, std::vector<float>(18, 1));
  for (const std::int32_t wrong : {0, 4, -1}) {
    const std::string message = message_of([&] {
      backend().attention.softmax(1, scores, Lengths({2}, {3, wrong}), scores);
    });
    EXPECT_NE(message.find(concat("length ", wrong, " at place 1 is outside [1, 3]")), std::string::npos)
        << message;
  }
}

TEST_P(AttentionTest, ARowWithoutAFiniteMaximumIsNaN) {
  for (const std::vector<float>& row : {std::vector<float>{-inf, -inf}, {nan, 1}, {1, nan}, {inf, 1}}) {
    const TestArray<float> scores({1, 1, 1, 2}, row);
    TestArray<float> p({1, 1, 1, 2});
    backend().attention.softmax(1, scores, {}, p);
    EXPECT_TRUE(std::isnan(p[0]) && std::isnan(p[1])) << row[0] << ", " << row[1] << ": " << p[0];
  }
}

TEST_P(AttentionTest, FarScoresDoNotOverflow) {
  const float huge = std::numeric_limits<float>::max();
  const TestArray<float> scores({1, 1, 3, 2}, {huge, -huge, -inf, 1, 1e4f, 1e4f - 200});
  TestArray<float> p({1, 1, 3, 2});
  backend().attention.softmax(1, scores, {}, p);
  EXPECT_EQ(p.values(), (std::vector<float>{1, 0, 0, 1, 1, 0}));
}

TEST(AttentionOfCpu, AgreesWithReference) {
  Backend& cpu = tested();
  std::vector<std::int64_t> sizes = odd_counts();
  sizes.push_back(1024);
  for (const std::int64_t keys : sizes) {
    const Shape shape{2, 2, 3, keys};
    auto scores = random_array(shape, 1);
    for (std::int64_t i = 0; i < scores.count(); ++i) scores[i] *= i % 7 == 0 ? 30.0f : 3.0f;
    const Lengths lengths({2}, {static_cast<std::int32_t>(keys), static_cast<std::int32_t>((keys + 1) / 2)});
    TestArray<float> got(shape), want(shape);
    cpu.attention.softmax(0.7, scores, lengths, got);
    reference().attention.softmax(0.7, scores, lengths, want);
    expect_close(got, want, 1e-7);
    EXPECT_TRUE(got.guards_hold());
    const auto dy = random_array(shape, 2);
    const TestArray<float> p(shape, want.values());
    cpu.attention.softmax_backward(0.7, p, lengths, dy, got);
    reference().attention.softmax_backward(0.7, p, lengths, dy, want);
    expect_close(got, want, 1e-7);
  }
}

}  // namespace
}  // namespace actlab
