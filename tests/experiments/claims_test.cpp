// What the claims are held against: known values of the activations, sampled gates, series.
#include "experiments/analysis/claims.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/analysis/gates.h"
#include "experiments/analysis/gaussian.h"
#include "experiments/analysis/gelu_series.h"
#include "experiments/analysis/numeric.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr double pi = std::numbers::pi;

double size_at(const ScalarFunction& f, double place) { return std::fabs(f(place)); }

ScalarFunction distance(const ScalarFunction& a, const ScalarFunction& b) {
  return [=](double x) { return std::fabs(a(x) - b(x)); };
}

TEST(Claims, MeansAndVariancesOfOutputs) {
  struct Known {
    const char* activation;
    double mean, variance;
  };
  for (const auto& [activation, mean, variance] :
       {Known{"gelu", 1 / (2 * std::sqrt(pi)), 0.345644}, Known{"relu", 1 / std::sqrt(2 * pi), 0.340845},
        Known{"silu", 0.206621, 0.313083}, Known{"mish", 0.240404, 0.394548},
        Known{"elu", 0.160521, 0.619179}, Known{"selu", 0, 1}}) {
    const ScalarFunction f = double_bodies(activation).f;
    const double found = gaussian_mean(f, 1);
    EXPECT_NEAR(found, mean, 1e-6) << activation;
    EXPECT_NEAR(gaussian_mean([&](double x) { return f(x) * f(x); }, 1) - found * found, variance, 1e-6)
        << activation;
  }
}

TEST(Claims, MinimumAndSteepestSlopesOfGelu) {
  const auto [f, df, d2f] = double_bodies("gelu");
  const double minimum = place_of_maximum([&f = f](double x) { return -f(x); }, -4, 4);
  EXPECT_NEAR(minimum, -0.751791524693564, 1e-7);
  EXPECT_NEAR(f(minimum), -0.169971207479904, 1e-14);
  const double steepest = place_of_maximum(df, -6, 6);
  EXPECT_NEAR(steepest, std::numbers::sqrt2, 1e-7);
  EXPECT_NEAR(df(steepest), 1.128904145, 1e-9);
  EXPECT_NEAR(df(-steepest), -0.128904145, 1e-9);
  for (const double x : {-3.0, -1.0, 0.0, 0.5, 1.5, 4.0})
    EXPECT_NEAR(d2f(x), std::exp(-x * x / 2) / std::sqrt(2 * pi) * (2 - x * x), 1e-15) << x;
}

TEST(Claims, ErrorsOfTheFastForms) {
  const DoubleBodies exact = double_bodies("gelu");
  struct Known {
    const char* form;
    double f, f_at, df, df_at;
  };
  for (const auto& k : {Known{"gelu_tanh", 4.7323552e-4, 2.698941, 8.6845e-4, 2.0187},
                        Known{"gelu_sigmoid", 2.0334872e-2, 2.2704, 2.907e-2, 1.4219}}) {
    const DoubleBodies form = double_bodies(k.form);
    const ScalarFunction f = distance(form.f, exact.f), df = distance(form.df, exact.df);
    const double f_at = place_of_maximum(f, 0, 8), df_at = place_of_maximum(df, 0, 8);
    EXPECT_NEAR(f_at, k.f_at, 1e-4) << k.form;
    EXPECT_NEAR(size_at(f, f_at), k.f, 1e-6 * k.f + 1e-9) << k.form;
    EXPECT_NEAR(df_at, k.df_at, 1e-3) << k.form;
    EXPECT_NEAR(size_at(df, df_at), k.df, 1e-3 * k.df) << k.form;
  }
  const auto worst_of = [&](double beta) {
    const ScalarFunction f = distance(double_bodies(concat("gelu_sigmoid(beta=", beta, ")")).f, exact.f);
    return f(place_of_maximum(f, -8, 8));
  };
  EXPECT_NEAR(worst_of(1.772), 1.40e-2, 1e-4);
  EXPECT_LT(worst_of(1.772), std::min(worst_of(1.762), worst_of(1.782)));
}

TEST(Claims, IntegralsAndMaximaOfKnownFunctions) {
  EXPECT_NEAR(integral([](double x) { return x * x * x; }, -1, 3), 20, 1e-12);
  EXPECT_NEAR(gaussian_mean([](double x) { return x * x * x * x; }, 1), 3, 1e-9);
  EXPECT_NEAR(place_of_maximum([](double x) { return -(x - 0.3) * (x - 0.3); }, -7, 2), 0.3, 1e-7);
  EXPECT_NEAR(place_of_maximum([](double x) { return x; }, -7, 2), 2, 1e-7) << "at the end";
}

// The first claim whose words hold these.
Claim claim_with(const std::vector<Claim>& claims, const std::string& words) {
  const auto found = std::find_if(claims.begin(), claims.end(), [&](const Claim& c) {
    return (c.claim + c.quantity).find(words) != std::string::npos;
  });
  if (found == claims.end()) throw Error("no claim has the words " + words);
  return *found;
}

TEST(Claims, AreHeldAgainstWhatIsComputed) {
  const std::vector<Claim> claims = mathematical_claims();
  EXPECT_EQ(claims.size(), 4u);
  const auto expect = [&](const std::string& words, double claimed, double here, double tolerance) {
    const Claim claim = claim_with(claims, words);
    EXPECT_NEAR(std::get<double>(claim.claimed), claimed, 1e-9) << words;
    EXPECT_NEAR(std::get<double>(claim.here), here, tolerance) << words;
    EXPECT_EQ(claim.verdict, "false") << words;
    EXPECT_EQ(claim.how, "computed") << words;
  };
  expect("f''", 1 / std::sqrt(2 * pi), 2 / std::sqrt(2 * pi), 1e-14);
  expect("tanh form", 1e-4, 4.7323552e-4, 1e-10);
  expect("mean of about zero", 0, 0.2820947918, 1e-9);
  expect("E ReLU(x + n)", 0, 1 / std::sqrt(2 * pi), 1e-8);
}

TEST(Claims, SiluAndGeluKeepTheSameBytes) {
  const std::vector<Claim> claims = memory_claims();
  ASSERT_EQ(claims.size(), 1u);
  EXPECT_EQ(std::get<double>(claims[0].here), 1.0);
  EXPECT_EQ(claims[0].verdict, "false");
  EXPECT_NE(claims[0].note.find("34.6 MB and 34.6 MB"), std::string::npos) << claims[0].note;
}

TEST(Claims, WhatIsOnlyPublishedHasNoNumberFromHere) {
  const std::vector<Claim> claims = published_claims();
  EXPECT_EQ(claim_with(claims, "92.1 %").verdict, "no source");
  EXPECT_EQ(claim_with(claims, "steps").verdict, "no source");
  EXPECT_EQ(std::get<std::string>(claim_with(claims, "LLaMA").here), "SwiGLU");
  for (const Claim& claim : claims) EXPECT_FALSE(std::holds_alternative<double>(claim.here)) << claim.claim;
}

TEST(Gates, AreTheActivationsInTheMean) {
  const std::vector<double> points = {-2.5, -0.5, 0, 0.75, 2};
  const std::vector<GateMean> means = gate_means(points, 40'000, 3);
  ASSERT_EQ(means.size(), 4 * points.size());
  for (std::size_t i = 0; i < means.size(); ++i) {
    const GateMean& m = means[i];
    EXPECT_EQ(m.x, points[i % points.size()]);
    EXPECT_LE(std::fabs(m.sampled - m.exact), 5 * m.standard_error) << m.gate << " at " << m.x;
    const double Phi = std::erfc(-m.x / std::numbers::sqrt2) / 2,
                 phi = std::exp(-m.x * m.x / 2) / std::sqrt(2 * pi);
    const double exact[] = {m.x * Phi, m.x * Phi + phi, m.x / 2, m.x / (1 + std::exp(-m.x))};
    EXPECT_NEAR(m.exact, exact[i / points.size()], 2e-7 * std::fabs(m.exact)) << m.gate << " at " << m.x;
  }
  // A coin's deviation is known: |x| sqrt(p (1 - p)).
  EXPECT_NEAR(means[3].standard_error, 0.75 * std::sqrt(0.7733726 * 0.2266274 / 40'000), 1e-4 * 0.75);
  // The sampling tells GELU from the mean of a noisy ReLU.
  EXPECT_GT(means[7].sampled - means[2].exact, 100 * means[7].standard_error);
}

TEST(Gates, FollowTheSeed) {
  const auto sampled = [](std::uint64_t seed) {
    std::vector<double> values;
    for (const GateMean& m : gate_means({-1, 1}, 100, seed)) values.push_back(m.sampled);
    return values;
  };
  EXPECT_EQ(sampled(1), sampled(1));
  EXPECT_NE(sampled(1), sampled(2));
  EXPECT_NE(sampled(1)[0], -sampled(1)[1]) << "numbers of its own for each mean";
}

TEST(GeluSeries, TaylorHasTheKnownTermsAndConverges) {
  const double root = std::sqrt(2 * pi);
  for (const double x : {-1.5, 0.1, 0.5, 2.0}) {
    EXPECT_NEAR(gelu_taylor(x, 1), x / 2, 1e-16);
    EXPECT_NEAR(gelu_taylor(x, 2), x / 2 + x * x / root, 1e-15);
    EXPECT_NEAR(gelu_taylor(x, 4), x / 2 + x * x / root - std::pow(x, 4) / (6 * root), 1e-15);
    EXPECT_NEAR(gelu_taylor(x, 60), double_bodies("gelu").f(x), 1e-14) << x;
  }
}

TEST(GeluSeries, LeftTailIsWithinItsNextTerm) {
  const ScalarFunction gelu = double_bodies("gelu").f;
  for (const double x : {-3.0, -6.0, -12.0, -30.0}) {
    double next = 1;  // of 1, 1/x^2, 3/x^4, 15/x^6
    for (const int terms : {1, 2, 3, 4}) {
      next *= (2 * terms - 1) / (x * x);
      EXPECT_LT(std::fabs(gelu_left_tail(x, terms) - gelu(x)), next * normal_density(x)) << x << ' ' << terms;
    }
  }
}

}  // namespace
}  // namespace actlab
