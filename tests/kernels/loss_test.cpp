// Softmax and cross-entropy on both backends: values, gradients, huge logits, wrong labels.
#include <limits>

#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

class LossTest : public EveryDevice {
 protected:
  std::vector<float> softmax(const TestArray<float>& x, Shape shape) {
    TestArray<float> y(shape);
    backend().loss.softmax(x, y);
    EXPECT_TRUE(y.guards_hold());
    return y.values();
  }
  float cross_entropy(const TestArray<float>& logits, const TestArray<std::int32_t>& labels,
                      const CrossEntropyOptions& options = {}) {
    TestArray<float> loss({});
    backend().loss.cross_entropy(options, logits, labels, loss);
    return loss[0];
  }
  std::vector<float> gradient(const TestArray<float>& logits, const TestArray<std::int32_t>& labels,
                              Shape shape, const CrossEntropyOptions& options = {}) {
    const TestArray<float> upstream({}, {1});
    TestArray<float> dlogits(shape);
    backend().loss.cross_entropy_backward(options, logits, labels, upstream, dlogits);
    EXPECT_TRUE(dlogits.guards_hold());
    return dlogits.values();
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, LossTest, testing::ValuesIn(tested_devices()), name_of_param);

TEST_P(LossTest, MinusInfinityHasNoProbability) {
  EXPECT_EQ(softmax(TestArray<float>({1, 2}, {0, -inf}), {1, 2}), (std::vector<float>{1, 0}));
  EXPECT_EQ(softmax(TestArray<float>({1, 3}, {-inf, 0, -inf}), {1, 3}), (std::vector<float>{0, 1, 0}));
  for (const float p : softmax(TestArray<float>({1, 2}, {-inf, -inf}), {1, 2})) EXPECT_TRUE(std::isnan(p));
}

// Blocks of a row that hold nothing but -inf, before and after the one class that is left.
TEST_P(LossTest, MinusInfinityInRowsOfAnyWidth) {
  for (const std::int64_t n : odd_counts()) {
    for (const std::int64_t left : {std::int64_t{0}, n / 2, n - 1}) {
      SCOPED_TRACE(concat("column ", left, " of ", n));
      TestArray<float> logits({1, n}, std::vector<float>(static_cast<std::size_t>(n), -inf));
      logits[left] = 3;
      std::vector<float> sure(static_cast<std::size_t>(n), 0);
      sure[static_cast<std::size_t>(left)] = 1;
      EXPECT_EQ(softmax(logits, {1, n}), sure);
      const TestArray<std::int32_t> label({1}, {static_cast<std::int32_t>(left)});
      EXPECT_EQ(cross_entropy(logits, label), 0);
      EXPECT_EQ(gradient(logits, label, {1, n}), std::vector<float>(static_cast<std::size_t>(n), 0));
    }
  }
}

TEST_P(LossTest, HugeLogitsStayFinite) {
  const TestArray<float> logits({1, 3}, {-431, 279, 427});
  const TestArray<std::int32_t> label({1}, {0});
  EXPECT_EQ(cross_entropy(logits, label), 858);
  EXPECT_EQ(gradient(logits, label, {1, 3}), (std::vector<float>{-1, 0, 1}));
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

TEST_P(LossTest, IgnoredRowsCountForNothing) {
  const TestArray<float> logits({2, 3}, {2, 1, 0, 0, 0, 5});
  const TestArray<std::int32_t> labels({2}, {0, -100});
  const CrossEntropyOptions options{.label_smoothing = 0.2, .ignored_label = -100};
  EXPECT_NEAR(cross_entropy(logits, labels, options), 0.607605964, 1e-6 * 0.607605964);
  // The gradient of the first row is that of the row alone: softmax minus 0.8 + 0.2 / 3, 0.2 / 3, 0.2 / 3.
  const double p[] = {0.665240955774822, 0.244728471054798, 0.0900305731703805};
  const auto g = gradient(logits, labels, {2, 3}, options);
  EXPECT_NEAR(g[0], p[0] - 0.8 - 0.2 / 3, 1e-7);
  EXPECT_NEAR(g[1], p[1] - 0.2 / 3, 1e-7);
  EXPECT_NEAR(g[2], p[2] - 0.2 / 3, 1e-7);
  for (std::size_t j = 3; j < 6; ++j) EXPECT_EQ(g[j], 0);

  // What stands in an ignored row does not matter, nor whether its label is a class.
  const TestArray<float> wild({2, 3}, {2, 1, 0, inf, std::numeric_limits<float>::quiet_NaN(), -inf});
  EXPECT_EQ(cross_entropy(wild, labels, options), cross_entropy(logits, labels, options));
  EXPECT_EQ(gradient(wild, labels, {2, 3}, options), g);
  const TestArray<std::int32_t> padded({2}, {0, 2});
  EXPECT_EQ(cross_entropy(wild, padded, {.label_smoothing = 0.2, .ignored_label = 2}),
            cross_entropy(logits, labels, options));
}

TEST_P(LossTest, TheMeanOfNoRowsIsZero) {
  const TestArray<float> logits({2, 3}, {2, 1, 0, 0, 0, 5});
  const TestArray<std::int32_t> labels({2}, {7, 7});
  const CrossEntropyOptions options{.label_smoothing = 0.1, .ignored_label = 7};
  EXPECT_EQ(cross_entropy(logits, labels, options), 0);
  EXPECT_EQ(gradient(logits, labels, {2, 3}, options), std::vector<float>(6, 0.0f));
}

TEST_P(LossTest, OnlyTheIgnoredLabelMayBeNoClass) {
  const TestArray<float> logits({2, 3}, {2, 1, 0, 0, 0, 5});
  const CrossEntropyOptions options{.ignored_label = -100};
  EXPECT_THROW(cross_entropy(logits, TestArray<std::int32_t>({2}, {0, -1}), options), Error);
  EXPECT_THROW(cross_entropy(logits, TestArray<std::int32_t>({2}, {0, -100})), Error);
}

TEST_P(LossTest, SmoothingOfExtremeLogits) {
  const CrossEntropyOptions options{.label_smoothing = 0.3};
  const TestArray<std::int32_t> label({1}, {0});
  // 0.7 * 858 + 0.1 * (858 + 148 + 0); the gradient is softmax minus (0.8, 0.1, 0.1).
  const TestArray<float> huge({1, 3}, {-431, 279, 427});
  EXPECT_FLOAT_EQ(cross_entropy(huge, label, options), 701.2f);
  const auto g = gradient(huge, label, {1, 3}, options);
  for (const auto& [j, want] : {std::pair{0U, -0.8f}, {1U, -0.1f}, {2U, 0.9f}}) EXPECT_FLOAT_EQ(g[j], want);
  // A class that the logits exclude is wanted all the same: no finite loss, but a finite gradient.
  const TestArray<float> excluded({1, 2}, {0, -inf});
  EXPECT_EQ(cross_entropy(excluded, label, options), inf);
  EXPECT_EQ(cross_entropy(excluded, label), 0);
  EXPECT_FLOAT_EQ(gradient(excluded, label, {1, 2}, options)[1], -0.15f);
}

TEST_P(LossTest, CorrectIsTheFirstLargestOfARowWithoutNaN) {
  const auto correct = [&](const std::vector<float>& logits, std::int32_t label) {
    TestArray<std::int32_t> count({});
    backend().loss.count_correct(TestArray<float>({1, std::ssize(logits)}, logits),
                                 TestArray<std::int32_t>({1}, {label}), count);
    return count[0];
  };
  EXPECT_EQ(correct({1, 2, 0}, 1), 1);
  EXPECT_EQ(correct({1, 2, 2}, 1), 1);
  EXPECT_EQ(correct({1, 2, 2}, 2), 0);
  EXPECT_EQ(correct({-0.0f, 0}, 0), 1);
  EXPECT_EQ(correct({0, -0.0f}, 1), 0);
  EXPECT_EQ(correct({-inf, -1, inf}, 2), 1);
  EXPECT_EQ(correct({-inf, -inf}, 0), 1);
  EXPECT_EQ(correct({nan, nan, nan}, 0), 0);
  EXPECT_EQ(correct({0, 5, nan}, 1), 0);
  EXPECT_EQ(correct({nan, 5, 0}, 1), 0);
  EXPECT_EQ(correct({1, 2, 0}, 3), 0);
  EXPECT_EQ(correct({1, 2, 0}, -1), 0);
}

TEST_P(LossTest, CorrectRowsOfAnyWidthAreCounted) {
  constexpr std::int64_t rows = 300;
  for (const std::int64_t n : odd_counts()) {
    TestArray<float> logits({rows, n});
    TestArray<std::int32_t> labels({rows});
    std::int32_t wanted = 0;
    for (std::int64_t row = 0; row < rows; ++row) {
      logits[row * n + (row * 7) % n] = 1;
      labels[row] = static_cast<std::int32_t>((row * row) % n);
      if ((row * 7) % n == (row * row) % n) ++wanted;
    }
    TestArray<std::int32_t> count({}, {-1});
    backend().loss.count_correct(logits, labels, count);
    EXPECT_TRUE(count.guards_hold());
    EXPECT_EQ(count[0], wanted) << n;
  }
}

TEST_P(LossTest, ANanLogitIsSeen) {
  const TestArray<float> logits({2, 2}, {0, 0, 0, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_TRUE(std::isnan(cross_entropy(logits, TestArray<std::int32_t>({2}, {0, 0}))));
}

TEST(LossOfCpu, AgreesWithReference) {
  Backend& cpu = tested();
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
    for (const CrossEntropyOptions& options :
         {CrossEntropyOptions{}, CrossEntropyOptions{.label_smoothing = 0.1, .ignored_label = 0}}) {
      cpu.loss.cross_entropy(options, x, labels, got_scalar);
      reference().loss.cross_entropy(options, x, labels, want_scalar);
      EXPECT_FLOAT_EQ(got_scalar[0], want_scalar[0]);
      cpu.loss.cross_entropy_backward(options, x, labels, dloss, got);
      reference().loss.cross_entropy_backward(options, x, labels, dloss, want);
      expect_close(got, want, 1e-7);
      EXPECT_TRUE(got.guards_hold());
    }
  }
}

TEST(LossGradient, OfReferenceMatchesDifferences) {
  auto x = random_array<double>({3, 5}, 1);
  const auto dy = random_array<double>({3, 5}, 2);
  const TestArray<std::int32_t> labels({3}, {0, 4, 2});
  const TestArray<double> dloss({}, {1.5});
  TestArray<double> y({3, 5}), dx({3, 5}), dlogits({3, 5}), loss({});
  LossKernels& kernels = reference().loss;
  const CrossEntropyOptions options{.label_smoothing = 0.2, .ignored_label = 4};
  const auto softmax_value = [&] {
    kernels.softmax(x, y);
    double sum = 0;
    for (std::int64_t i = 0; i < y.count(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  const auto loss_value = [&] {
    kernels.cross_entropy(options, x, labels, loss);
    return 1.5 * loss[0];
  };
  softmax_value();
  kernels.softmax_backward(y, dy, dx);
  kernels.cross_entropy_backward(options, x, labels, dloss, dlogits);
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
