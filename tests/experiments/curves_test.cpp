// Curves, moments and errors against values that are known from elsewhere.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "experiments/analysis/curve.h"
#include "experiments/analysis/gaussian.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

ActivationHandle act(const char* name) { return ActivationHandle::parse(name); }

TEST(Grid, HasItsEndsAndRoundNumbers) {
  EXPECT_EQ(grid(-5, 5, 11), (std::vector<double>{-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(grid(-5, 5, 501)[265], 0.3);
  EXPECT_EQ(grid(0, 1, 2), (std::vector<double>{0, 1}));
  EXPECT_NE(message_of([] { grid(0, 1, 1); }), "no error");
}

TEST(Curves, ParsedByName) {
  EXPECT_EQ(parse_curves("d2f,f"), (std::vector<Curve>{Curve::d2f, Curve::f}));
  EXPECT_NE(message_of([] { parse_curves("f,ddf"); }).find("unknown curve 'ddf'"), std::string::npos);
  EXPECT_NE(message_of([] { parse_curves("f,f"); }).find("twice"), std::string::npos);
  EXPECT_NE(message_of([] { parse_curves(""); }).find("unknown curve ''"), std::string::npos);
}

// f'' = phi(x) (2 - x^2).
TEST(Curves, OfGelu) {
  const double x = 1.5, phi = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
  EXPECT_NEAR(value_of(act("gelu"), Curve::f, x), 1.3997891981, 1e-10);
  EXPECT_NEAR(value_of(act("gelu"), Curve::df, std::numbers::sqrt2), 1.128904145, 1e-9);
  EXPECT_NEAR(value_of(act("gelu"), Curve::d2f, x), phi * (2 - x * x), 1e-14);
}

TEST(GaussianMoments, AreTheExactOnes) {
  const double pi = std::numbers::pi;
  const OutputMoments gelu = exact_moments(act("gelu"), 1);
  EXPECT_NEAR(gelu.mean, 1 / (2 * std::sqrt(pi)), 1e-13);
  // E f^2 = 1/3 + 1 / (2 pi sqrt(3)).
  EXPECT_NEAR(gelu.variance, 1.0 / 3 + 1 / (2 * pi * std::sqrt(3.0)) - 1 / (4 * pi), 1e-12);
  for (const double sigma : {1e-3, 0.3, 1.0, 7.0, 100.0}) {
    const OutputMoments relu = exact_moments(act("relu"), sigma);
    EXPECT_NEAR(relu.mean, sigma / std::sqrt(2 * pi), 1e-12 * sigma) << sigma;
    EXPECT_NEAR(relu.variance, sigma * sigma * (0.5 - 1 / (2 * pi)), 1e-12 * sigma * sigma) << sigma;
    EXPECT_NEAR(exact_moments(act("identity"), sigma).fourth, 3 * std::pow(sigma, 4),
                1e-10 * std::pow(sigma, 4));
  }
  const struct {
    const char* name;
    double mean, variance;
  } known[] = {{"silu", 0.206621, 0.313083},
               {"mish", 0.240404, 0.394548},
               {"elu", 0.160521, 0.619179},
               {"selu", 0, 1}};
  for (const auto& [name, mean, variance] : known) {
    EXPECT_NEAR(exact_moments(act(name), 1).mean, mean, 5e-7) << name;
    EXPECT_NEAR(exact_moments(act(name), 1).variance, variance, 5e-7) << name;
  }
  EXPECT_NE(message_of([] { exact_moments(act("relu"), 1e-4); }).find("sigma"), std::string::npos);
}

TEST(GaussianSample, AgreesWithTheExactMomentsAndShares) {
  constexpr std::int64_t n = 200'000;
  for (const char* name : {"gelu", "relu", "selu", "gelu_int8(range=8)"}) {
    const auto values = gaussian_outputs(act(name), 1.5, n, 3);
    ASSERT_EQ(values.size(), std::size_t{n});
    const OutputMoments found = moments_of(values), exact = exact_moments(act(name), 1.5);
    EXPECT_NEAR(found.mean, exact.mean, 4 * std::sqrt(exact.variance / n)) << name;
    EXPECT_NEAR(found.variance, exact.variance,
                4 * std::sqrt((exact.fourth - exact.variance * exact.variance) / n))
        << name;
    const std::vector<double> edges = grid(-0.5, 3, 15);
    const auto shares = shares_of(values, edges), of_all = exact_shares(act(name), 1.5, edges);
    for (std::size_t i = 0; i < shares.size(); ++i)
      EXPECT_NEAR(shares[i], of_all[i], 4 * std::sqrt(of_all[i] / n) + 1e-5) << name << ", bin " << i;
  }
  EXPECT_EQ(gaussian_outputs(act("relu"), 1, 100, 1), gaussian_outputs(act("relu"), 1, 100, 1));
  EXPECT_NE(gaussian_outputs(act("relu"), 1, 100, 1), gaussian_outputs(act("relu"), 1, 100, 2));
}

TEST(GaussianShares, AreProbabilities) {
  const auto relu = exact_shares(act("relu"), 2, {0, 2});
  ASSERT_EQ(relu.size(), 3u);
  EXPECT_NEAR(relu[0], 0, 1e-12);
  EXPECT_NEAR(relu[1], 0.841344746068543, 1e-9);  // half of it at 0
  EXPECT_NEAR(relu[2], 0.158655253931457, 1e-9);
  // |x| >= 0.75179, where gelu is least: one side each.
  const auto gelu = exact_shares(act("gelu"), 1, {-0.17, -0.1, 0, 0.5});
  EXPECT_NEAR(std::accumulate(gelu.begin(), gelu.end(), 0.0), 1, 1e-12);
  EXPECT_NEAR(gelu[0] + gelu[1] + gelu[2], 0.5, 1e-9);
}

TEST(ApproximationErrors, AreTheKnownOnes) {
  const auto error = [](const char* name, Curve curve) {
    return curve_error(act(name), act("gelu"), curve, -5, 5, 1);
  };
  const CurveError tanh = error("gelu_tanh", Curve::f), tanh_slope = error("gelu_tanh", Curve::df);
  EXPECT_NEAR(tanh.most, 4.7323552e-4, 5e-12);
  EXPECT_NEAR(tanh.at, 2.698941, 5e-7);
  EXPECT_NEAR(tanh.rms, 1.29e-4, 5e-7);
  EXPECT_NEAR(tanh_slope.most, 8.6845e-4, 5e-9);
  EXPECT_NEAR(tanh_slope.at, 2.0187, 5e-5);
  const CurveError sigmoid = error("gelu_sigmoid", Curve::f), slope = error("gelu_sigmoid", Curve::df);
  EXPECT_NEAR(sigmoid.most, 2.0334872e-2, 5e-9);  // a parameter is a float: beta = 1.702 + 2e-8
  EXPECT_NEAR(sigmoid.at, 2.2704, 5e-5);
  EXPECT_NEAR(slope.most, 2.907e-2, 5e-6);
  EXPECT_NEAR(slope.at, 1.4219, 5e-5);
  const CurveError clamped = curve_error(act("gelu_clamped"), act("gelu"), Curve::f, -8, 8, 1);
  EXPECT_EQ(clamped.at, 8);
  EXPECT_EQ(curve_error(act("gelu"), act("gelu"), Curve::f, -8, 8, 1).most, 0);
}

}  // namespace
}  // namespace actlab
