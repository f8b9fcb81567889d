// Softmax and cross-entropy on both backends: values, gradients, huge logits, wrong labels.
#include <limits>

#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

class LossTest : public EveryDevice {
 protected:
  std::vector<float> softmax(const TestArray<float>& x, Shape shape) {
    TestArray<float> y(shape);
    backend().loss.softmax(x, y);
    EXPECT_TRUE(y.guards_hold());
    return y.values();
  }
  float cross_entropy(const TestArray<float>& logits, const TestArray<std::int32_t>& labels) {
    TestArray<float> loss({});
    backend().loss.cross_entropy(logits, labels, loss);
    return loss[0];
  }
  std::vector<float> gradient(const TestArray<float>& logits, const TestArray<std::int32_t>& labels,
                              Shape shape, float dloss = 1) {
    const TestArray<float> upstream({}, {dloss});
    TestArray<float> dlogits(shape);
    backend().loss.cross_entropy_backward(logits, labels, upstream, dlogits);
    EXPECT_TRUE(dlogits.guards_hold());
    return dlogits.values();
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, LossTest, testing::ValuesIn(device_names()), name_of_param);

TEST_P(LossTest, MinusInfinityHasNoProbability) {
  EXPECT_EQ(softmax(TestArray<float>({1, 2}, {0, -inf}), {1, 2}), (std::vector<float>{1, 0}));
  EXPECT_EQ(softmax(TestArray<float>({1, 3}, {-inf, 0, -inf}), {1, 3}), (std::vector<float>{0, 1, 0}));
  for (const float p : softmax(TestArray<float>({1, 2}, {-inf, -inf}), {1, 2})) EXPECT_TRUE(std::isnan(p));
}

TEST_P(LossTest, HugeLogitsStayFinite) {
  const TestArray<float> logits({1, 3}, {-431, 279, 427});
  const TestArray<std::int32_t> label({1}, {0});
  EXPECT_EQ(cross_entropy(logits, label), 858);
  const auto g = gradient(logits, label, {1, 3});
  EXPECT_EQ(g[0], -1);
  EXPECT_NEAR(g[1], 0, 1e-30);
  EXPECT_EQ(g[2], 1);
  const TestArray<float> larger({1, 3}, {1e4f, -1e4f, 1e4f});
  EXPECT_EQ(softmax(larger, {1, 3}), (std::vector<float>{0.5f, 0, 0.5f}));
  EXPECT_FLOAT_EQ(cross_entropy(larger, TestArray<std::int32_t>({1}, {1})), 20000.693147f);
}

TEST_P(LossTest, LogSoftmaxOfLargeLogitsIsExact) {
  const TestArray<float> logits({1, 4}, {-781.1664f, -1043.7303f, 890.2518f, -1234.9999f});
  const double want[] = {1671.4182, 1933.9821, 0, 2125.2517};
  for (std::int32_t j = 0; j < 4; ++j)
    EXPECT_NEAR(cross_entropy(logits, TestArray<std::int32_t>({1}, {j})), want[j], 1e-6 * want[j]);
}

TEST_P(LossTest, ASureAnswerKeepsItsSmallLossAndGradient) {
  // loss = log1p(e^-30); the gradient of the label is -e^-30, not the rounding error of p - 1.
  const TestArray<float> logits({1, 2}, {30, 0});
  const TestArray<std::int32_t> label({1}, {0});
  const float small = static_cast<float>(std::exp(-30.0));
  EXPECT_FLOAT_EQ(cross_entropy(logits, label), small);
  const auto g = gradient(logits, label, {1, 2});
  EXPECT_FLOAT_EQ(g[0], -small);
  EXPECT_EQ(g[0], -g[1]);
}

TEST_P(LossTest, ALabelOutsideTheClassesIsNamed) {
  const TestArray<float> logits({2, 3}, {2.5f, 0, 0, 0, 0, 2.5f});
  for (const std::int32_t label : {1000, 3, -1}) {
    const TestArray<std::int32_t> labels({2}, {0, label});
    for (const bool backward : {false, true}) {
      try {
        if (backward) gradient(logits, labels, {2, 3});
        if (!backward) cross_entropy(logits, labels);
        FAIL() << "label " << label << " went through";
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(concat("label ", label, " of row 1")), std::string::npos)
            << error.what();
      }
    }
  }
}

TEST_P(LossTest, ANanLogitIsSeen) {
  const TestArray<float> logits({2, 2}, {0, 0, 0, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_TRUE(std::isnan(cross_entropy(logits, TestArray<std::int32_t>({2}, {0, 0}))));
}

TEST(LossOfCpu, AgreesWithReference) {
  Backend& cpu = find_backend("cpu");
  for (const std::int64_t columns : odd_counts()) {
    const std::int64_t rows = 1 + 200 / columns;
    const Shape shape{rows, columns};
    auto x = random_array(shape, 1);
    for (std::int64_t i = 0; i < x.count(); ++i) x[i] *= i % 3 == 0 ? 1e4f : 3.0f;
    const auto dy = random_array(shape, 2);
    TestArray<std::int32_t> labels({rows});
    for (std::int64_t i = 0; i < rows; ++i) labels[i] = static_cast<std::int32_t>(i * 7 % columns);
    const TestArray<float> dloss({}, {0.75f});
    TestArray<float> got(shape), want(shape), got_scalar({}), want_scalar({});

    cpu.loss.softmax(x, got);
    reference().loss.softmax(x, want);
    expect_close(got, want, 1e-7);
    const TestArray<float> y(shape, want.values());
    cpu.loss.softmax_backward(y, dy, got);
    reference().loss.softmax_backward(y, dy, want);
    expect_close(got, want, 1e-7);
    cpu.loss.cross_entropy(x, labels, got_scalar);
    reference().loss.cross_entropy(x, labels, want_scalar);
    EXPECT_FLOAT_EQ(got_scalar[0], want_scalar[0]);
    cpu.loss.cross_entropy_backward(x, labels, dloss, got);
    reference().loss.cross_entropy_backward(x, labels, dloss, want);
    expect_close(got, want, 1e-7);
    EXPECT_TRUE(got.guards_hold());
  }
}

TEST(LossGradient, OfReferenceMatchesDifferences) {
  auto x = random_array<double>({3, 5}, 1);
  const auto dy = random_array<double>({3, 5}, 2);
  const TestArray<std::int32_t> labels({3}, {0, 4, 2});
  const TestArray<double> dloss({}, {1.5});
  TestArray<double> y({3, 5}), dx({3, 5}), dlogits({3, 5}), loss({});
  LossKernels& kernels = reference().loss;
  const auto softmax_value = [&] {
    kernels.softmax(x, y);
    double sum = 0;
    for (std::int64_t i = 0; i < y.count(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  const auto loss_value = [&] {
    kernels.cross_entropy(x, labels, loss);
    return 1.5 * loss[0];
  };
  softmax_value();
  kernels.softmax_backward(y, dy, dx);
  kernels.cross_entropy_backward(x, labels, dloss, dlogits);
  constexpr double h = 1e-5;
  for (std::int64_t i = 0; i < x.count(); ++i) {
    const double before = x[i];
    x[i] = before + h;
    const double softmax_above = softmax_value(), loss_above = loss_value();
    x[i] = before - h;
    EXPECT_NEAR(dx[i], (softmax_above - softmax_value()) / (2 * h), 1e-9);
    EXPECT_NEAR(dlogits[i], (loss_above - loss_value()) / (2 * h), 1e-9);
    x[i] = before;
  }
}

}  // namespace
}  // namespace actlab
