// What comparisons say of each row against the baseline.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/experiments/made_up_runs.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

using Scores = std::vector<double>;

void add_runs(std::vector<StoredRun>& runs, const std::string& activation, const Scores& accuracies) {
  for (std::size_t seed = 0; seed < accuracies.size(); ++seed)
    runs.push_back(make_run(activation, static_cast<std::int64_t>(seed), accuracies[seed]));
}

const Scores of_relu = {0.7402, 0.7431, 0.7388, 0.7445, 0.7419};

std::string verdict_against_relu(const Scores& accuracies, const ComparisonOptions& options = {}) {
  std::vector<StoredRun> runs;
  add_runs(runs, "relu", of_relu);
  add_runs(runs, "gelu", accuracies);
  const auto rows = compare_runs(runs, options).rows;
  EXPECT_EQ(rows[0].verdict, "baseline");
  return rows[1].verdict;
}

// relu's scores, with these differences.
Scores relu_plus(const Scores& differences) {
  Scores scores;
  for (std::size_t seed = 0; seed < differences.size(); ++seed)
    scores.push_back(of_relu[seed] + differences[seed]);
  return scores;
}

// Expected values by SciPy: stats.t.interval, stats.ttest_rel, the effect by special.gammaln; Holm by hand.
TEST(ComparisonVerdict, AgreesWithSciPy) {
  std::vector<StoredRun> runs;
  add_runs(runs, "relu", of_relu);
  add_runs(runs, "gelu", {0.7488, 0.7496, 0.7471, 0.7502, 0.7499});
  add_runs(runs, "elu", {0.7021, 0.7105, 0.6988, 0.7064, 0.7090});
  add_runs(runs, "silu", {0.7411, 0.7440, 0.7379, 0.7461, 0.7402});
  const auto rows = compare_runs(runs).rows;
  const struct {
    const char* verdict;
    double mean, ci95, delta, delta_ci95, p, effect;
  } expected[] = {{"better", 0.74912, 0.0015443624938535905, 0.00742, 0.0015592650181911515,
                   0.00037921214087874446, 4.7144183673500955},
                  {"worse", 0.70536, 0.006032366121276778, -0.03634, 0.004183689141988783,
                   5.2608062739108784e-05, -8.605372325482488},
                  {"no difference shown", 0.74186, 0.004002898266473487, 0.00016, 0.0017285461350035568,
                   0.8098592353938284, 0.09170291854495574}};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& row = rows[i + 1];
    EXPECT_EQ(row.verdict, expected[i].verdict) << row.activation;
    EXPECT_NEAR(row.accuracy_mean, expected[i].mean, 1e-12) << row.activation;
    EXPECT_NEAR(row.accuracy_ci95, expected[i].ci95, 1e-12) << row.activation;
    EXPECT_NEAR(row.delta, expected[i].delta, 1e-12) << row.activation;
    EXPECT_NEAR(row.delta_ci95, expected[i].delta_ci95, 1e-12) << row.activation;
    EXPECT_NEAR(row.delta_p, expected[i].p, 1e-10) << row.activation;
    EXPECT_NEAR(row.effect, expected[i].effect, 1e-9) << row.activation;
  }
}

TEST(ComparisonVerdict, OneSeedSaysNothing) {
  const auto rows = compare_runs({make_run("relu", 0, 0.5), make_run("gelu", 0, 0.9)}).rows;
  EXPECT_EQ(rows[1].verdict, "too few seeds: needs about 10") << "for a difference of one deviation";
  EXPECT_TRUE(std::isnan(rows[1].effect));
}

TEST(ComparisonVerdict, SeedsNeededFollowFromSpreadAndDifference) {
  const Scores wide = relu_plus({0.01, -0.01, 0.01, -0.01, 0});  // deviation 1 point
  EXPECT_EQ(verdict_against_relu(wide), "too few seeds: needs about 34");
  EXPECT_EQ(verdict_against_relu(wide, {.smallest_difference = 1}), "too few seeds: needs about 10");
  EXPECT_EQ(verdict_against_relu(wide, {.smallest_difference = 2}), "no difference shown");
  EXPECT_EQ(verdict_against_relu(wide, {.smallest_difference = 0.001}),
            "too few seeds: needs more than 1000");
}

TEST(ComparisonVerdict, MoreRowsNeedMoreSeeds) {
  std::vector<StoredRun> runs;
  add_runs(runs, "relu", of_relu);
  for (const char* activation : {"gelu", "silu", "elu", "mish"})
    add_runs(runs, activation, relu_plus({0.01, -0.01, 0.01, -0.01, 0}));
  EXPECT_EQ(compare_runs(runs).rows[1].verdict, "too few seeds: needs about 48");
}

// The level is 5 %: these differ with p = 0.074.
TEST(ComparisonVerdict, AlmostIsNotEnough) {
  const auto row = compare_runs(three_seeds(), {.smallest_difference = 10}).rows[0];
  EXPECT_NEAR(row.delta_p, 0.0742, 1e-4);
  EXPECT_EQ(row.verdict, "no difference shown");
}

// A difference that a test alone would call certain, from two seeds on a coarse score.
TEST(ComparisonVerdict, EqualDifferencesOfFewSeedsAreNoProof) {
  EXPECT_EQ(verdict_against_relu(relu_plus({0.01, 0.01})), "too few seeds: needs about 6");
  EXPECT_EQ(verdict_against_relu(relu_plus({0, 0, 0, 0, 0})), "too few seeds: needs about 6");
}

TEST(ComparisonVerdict, OfALossLessIsBetter) {
  auto runs = three_seeds();
  for (auto& run : runs) {
    const auto seed = static_cast<double>(run.summary.seed);
    run.summary.loss = 1 + 0.1 * seed - (run.summary.activation == "gelu" ? 0.1 + 0.001 * seed : 0);
  }
  EXPECT_EQ(compare_runs(runs, {.metric = "loss"}).rows[0].verdict, "better");
  EXPECT_EQ(compare_runs(runs, {.baseline = "gelu", .metric = "loss"}).rows[1].verdict, "worse");
}

TEST(ComparisonVerdict, SaysOfHowManySeedsWhereSomeAreMissing) {
  std::vector<StoredRun> runs;
  add_runs(runs, "relu", of_relu);
  add_runs(runs, "gelu", relu_plus({0.010, 0.011, 0.012, 0.011, 0.010}));
  runs.back().summary.status = RunStatus::diverged;
  EXPECT_EQ(compare_runs(runs).rows[1].verdict, "better (4 of 5 seeds)");
  for (auto& run : runs)
    if (run.summary.activation == "gelu") run.summary.status = RunStatus::diverged;
  const auto row = compare_runs(runs).rows[1];
  EXPECT_EQ(row.verdict, "nothing to compare");
  EXPECT_TRUE(std::isnan(row.delta));
}

TEST(ComparisonVerdict, RowsWithoutABaselineHaveNone) {
  auto runs = three_seeds();
  for (auto& run : runs)
    if (run.summary.activation == "gelu") run.config["train.epochs"] = "2";
  const auto rows = compare_runs(runs).rows;
  EXPECT_EQ(rows[0].verdict, "");
  EXPECT_EQ(rows[1].verdict, "baseline");
}

TEST(ComparisonVerdict, MayBeOfTheBestOrTheValidationScore) {
  auto runs = three_seeds();
  for (auto& run : runs)
    if (run.summary.activation == "gelu") run.summary.best_accuracy = run.summary.accuracy + 0.1;
  const auto best = compare_runs(runs, {.metric = "best_accuracy"});
  EXPECT_NEAR(best.rows[0].delta, 0.11, 1e-12);
  ASSERT_EQ(notes_of(best).size(), 1u);
  EXPECT_NE(best.notes[0].find("chosen by that split itself"), std::string::npos) << best.notes[0];

  const auto of_validation = [&] { return compare_runs(runs, {.metric = "validation_accuracy"}); };
  EXPECT_NE(message_of(of_validation).find("no run held out a validation split"), std::string::npos);
  for (auto& run : runs) {
    run.summary.selected_by = "validation";
    run.summary.validation_accuracy = run.summary.activation == "gelu" ? 0.5 : 0.6;
  }
  EXPECT_NEAR(of_validation().rows[0].delta, -0.1, 1e-12);
  const auto csv = render(to_table(of_validation()), TableFormat::csv);
  EXPECT_NE(csv.find(",validation_accuracy_mean,validation_accuracy_ci95,delta,"), std::string::npos) << csv;
  EXPECT_EQ(message_of([&] { compare_runs(runs, {.metric = "best"}); }).find("unknown metric 'best'"), 0u);
}

}  // namespace
}  // namespace actlab
