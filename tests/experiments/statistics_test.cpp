// Statistics against closed forms, published tables and worked examples.
#include "experiments/results/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>

namespace actlab {
namespace {

TEST(Statistics, MeanDeviationMedian) {
  const std::vector<double> values = {2, 4, 4, 4, 5, 5, 7, 9};
  EXPECT_DOUBLE_EQ(mean(values), 5);
  EXPECT_DOUBLE_EQ(standard_deviation(values), std::sqrt(32.0 / 7));
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_TRUE(std::isnan(mean({})));
  EXPECT_TRUE(std::isnan(median({})));
  EXPECT_TRUE(std::isnan(standard_deviation(std::vector<double>{1})));
}

// t with P(T <= t) = 0.975, computed in 30 digits; the tables print their first four.
TEST(Statistics, StudentQuantilesOfTheTables) {
  const std::pair<double, double> table[] = {
      {1, 12.706204736174705}, {2, 4.302652729749464},  {3, 3.1824463052837096},  {4, 2.7764451051977944},
      {5, 2.5705818356363155}, {9, 2.2621571627982055}, {10, 2.2281388519862747}, {30, 2.0422724563012383}};
  for (const auto& [freedom, t] : table) {
    EXPECT_NEAR(student_quantile(0.975, freedom), t, 1e-11) << freedom;
    EXPECT_NEAR(student_quantile(0.025, freedom), -t, 1e-11) << freedom;
    EXPECT_NEAR(student_p_value(t, freedom), 0.05, 1e-13) << freedom;
    EXPECT_NEAR(student_p_value(-t, freedom), 0.05, 1e-13) << freedom;
  }
  EXPECT_NEAR(student_quantile(0.975, 1e6), 1.959966, 2e-6);  // nearly the normal's
}

// One, two and four degrees of freedom have closed forms.
TEST(Statistics, StudentProbabilitiesOfClosedForms) {
  for (const double t : {0.0, 1e-6, 0.1, 0.5, 1.0, 2.0, 5.0, 40.0, 1e4}) {
    const double one = 1 - 2 * std::atan(t) / std::numbers::pi;
    const double two = 1 - t / std::sqrt(2 + t * t);
    const double x = t / std::sqrt(4 + t * t);
    const double four = 1 - x * (3 - x * x) / 2;
    EXPECT_NEAR(student_p_value(t, 1), one, 1e-12) << t;
    EXPECT_NEAR(student_p_value(t, 2), two, 1e-12) << t;
    EXPECT_NEAR(student_p_value(t, 4), four, 1e-12) << t;
  }
}

TEST(Statistics, IncompleteBetaOfClosedForms) {
  for (const double x : {0.01, 0.3, 0.5, 0.77, 0.99}) {
    EXPECT_NEAR(incomplete_beta(1, 1, x), x, 1e-14);
    EXPECT_NEAR(incomplete_beta(3, 1, x), x * x * x, 1e-14);
    EXPECT_NEAR(incomplete_beta(0.5, 0.5, x), 2 * std::asin(std::sqrt(x)) / std::numbers::pi, 1e-13);
    EXPECT_NEAR(incomplete_beta(2, 3, x), x * x * (6 - 8 * x + 3 * x * x), 1e-13);
  }
  EXPECT_EQ(incomplete_beta(2, 3, 0), 0);
  EXPECT_EQ(incomplete_beta(2, 3, 1), 1);
}

TEST(Statistics, ConfidenceIntervalOfAWorkedExample) {
  const std::vector<double> values = {1, 2, 3, 4, 5};  // sd sqrt(2.5), t 2.7764451
  EXPECT_NEAR(confidence95(values), 2.7764451051977944 * std::sqrt(2.5 / 5), 1e-9);
  EXPECT_TRUE(std::isnan(confidence95(std::vector<double>{1})));
}

TEST(Statistics, PairedTest) {
  // Differences 1, 2, 3: t = 2 / (1 / sqrt 3) = 2 sqrt 3 with two degrees of freedom.
  const double t = 2 * std::sqrt(3.0);
  EXPECT_NEAR(paired_p_value(std::vector<double>{1, 2, 3}), 1 - t / std::sqrt(2 + t * t), 1e-12);
  EXPECT_EQ(paired_p_value(std::vector<double>{0, 0, 0}), 1);
  EXPECT_EQ(paired_p_value(std::vector<double>{0.5, 0.5}), 0.5) << "the sign test's";
  const std::vector<double> rounded = {0.71 - 0.70, 0.72 - 0.71, 0.74 - 0.73, 0.02 - 0.01};
  EXPECT_NE(rounded[0], rounded[3]);
  EXPECT_EQ(paired_p_value(rounded), 0.125) << "they differ by their rounding alone";
  EXPECT_TRUE(std::isnan(paired_p_value(std::vector<double>{1})));
}

// J(v) times mean / standard deviation, computed by SciPy's gammaln.
TEST(Statistics, PairedEffect) {
  EXPECT_NEAR(paired_effect(std::vector<double>{1, 2, 3}), 2 * 0.5641895835477564, 1e-12);
  EXPECT_NEAR(paired_effect(std::vector<double>{-1, -2, -3, -4, -5}),
              -3 / std::sqrt(2.5) * 0.7978845608028653, 1e-12);
  std::vector<double> many(31, 1);
  many[0] = 0, many[1] = 2;  // mean 1, deviation sqrt(2 / 30)
  EXPECT_NEAR(paired_effect(many), std::sqrt(15.0) * 0.9747543782143993, 1e-12);
  EXPECT_TRUE(std::isnan(paired_effect(std::vector<double>{1, 2})));
  EXPECT_TRUE(std::isnan(paired_effect(std::vector<double>{1, 1, 1})));
}

// The power of SciPy's noncentral t reaches 80 % at the same numbers.
TEST(Statistics, NeededPairs) {
  const struct {
    double effect, level;
    std::int64_t pairs;
  } table[] = {{0.2, 0.05, 199},    {0.2, 0.00625, 324}, {0.3, 0.05, 90}, {0.5, 0.05, 34},
               {0.5, 0.05 / 3, 45}, {0.8, 0.05, 15},     {1, 0.05, 10},   {1, 0.00625, 17},
               {1.5, 0.05, 6},      {2, 0.05 / 3, 6},    {3, 0.05, 4},    {5, 0.05, 3}};
  for (const auto& row : table) {
    EXPECT_EQ(needed_pairs(row.effect, 1, row.level, 0.8), row.pairs) << row.effect << " " << row.level;
    EXPECT_EQ(needed_pairs(0.005, 0.005 / row.effect, row.level, 0.8), row.pairs);
  }
  EXPECT_EQ(needed_pairs(0.001, 1, 0.05, 0.8), most_pairs);
  EXPECT_EQ(needed_pairs(1e9, 1, 0.05, 0.8), 2);
  EXPECT_EQ(needed_pairs(1, 0, 0.05, 0.8), 6) << "the sign test's 2^-5";
}

TEST(Statistics, HolmStepsDownAndStaysMonotone) {
  const double none = std::nan("");
  const auto corrected = holm({0.01, none, 0.04, 0.03, 0.005});
  EXPECT_DOUBLE_EQ(corrected[0], 0.03);
  EXPECT_TRUE(std::isnan(corrected[1]));
  EXPECT_DOUBLE_EQ(corrected[2], 0.06);
  EXPECT_DOUBLE_EQ(corrected[3], 0.06);
  EXPECT_DOUBLE_EQ(corrected[4], 0.02);
  EXPECT_EQ(holm({0.7, 0.9}), (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace actlab
