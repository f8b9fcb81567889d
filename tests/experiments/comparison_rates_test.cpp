// Which settings make the rows of a comparison, and the choice among learning rates.
#include <gtest/gtest.h>

#include "tests/experiments/made_up_runs.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

const std::vector<std::string> by_rate = {"activation", "optimizer.lr"};

// Two seeds; the test split would choose otherwise than the validation split.
void add_rate(std::vector<StoredRun>& runs, const std::string& activation, const std::string& rate,
              double validation, double test) {
  for (std::int64_t seed = 0; seed < 2; ++seed) {
    StoredRun run = make_run(activation, seed, test + 0.01 * static_cast<double>(seed));
    run.folder += "-" + rate;
    run.config["optimizer.lr"] = rate;
    run.summary.selected_by = "validation";
    run.summary.validation_accuracy = validation;
    run.summary.validation_loss = 1 - validation;
    run.summary.loss = 1 - run.summary.accuracy;
    runs.push_back(run);
  }
}

std::vector<StoredRun> swept_rates() {
  std::vector<StoredRun> runs;
  add_rate(runs, "relu", "0.1", 0.70, 0.60);
  add_rate(runs, "relu", "0.01", 0.60, 0.90);
  add_rate(runs, "relu", "1", 0.50, 0.90);
  add_rate(runs, "gelu", "0.1", 0.70, 0.90);
  add_rate(runs, "gelu", "0.01", 0.75, 0.65);
  add_rate(runs, "gelu", "1", 0.40, 0.90);
  return runs;
}

bool any_note_has(const Comparison& comparison, const std::string& text) {
  for (const auto& note : comparison.notes)
    if (note.find(text) != note.npos) return true;
  return false;
}

TEST(ComparisonRates, TheBestByValidationIsCompared) {
  for (const char* metric : {"accuracy", "loss"}) {
    const auto comparison = compare_runs(swept_rates(), {.metric = metric});
    ASSERT_EQ(comparison.rows.size(), 2u) << metric;
    EXPECT_EQ(comparison.rows[0].values, std::vector<std::string>{"0.1"});
    EXPECT_EQ(comparison.rows[1].values, std::vector<std::string>{"0.01"});
    EXPECT_NEAR(comparison.rows[1].delta, metric == std::string("loss") ? -0.05 : 0.05, 1e-12)
        << "gelu at its rate against relu at its own";
    EXPECT_TRUE(
        any_note_has(comparison, "relu with 0.1 (of 0.01, 0.1, 1), gelu with 0.01 (of 0.01, 0.1, 1)"));
    EXPECT_TRUE(any_note_has(comparison, "that was tried: gelu with 0.01;")) << "but relu's lies between";
    const Table table = to_table(comparison);
    EXPECT_EQ(table.columns[1].name, "optimizer.lr");
    EXPECT_NE(render(table, TableFormat::csv).find(std::string(",validation_") + metric + "_mean,"),
              std::string::npos);
  }
}

TEST(ComparisonRates, AllAreShownWhereAskedFor) {
  const auto comparison = compare_runs(swept_rates(), {.by = by_rate});
  EXPECT_EQ(comparison.rows.size(), 6u);
  EXPECT_NEAR(comparison.rows[3].delta, 0.3, 1e-12) << "against relu at the same rate";
  EXPECT_FALSE(any_note_has(comparison, "of several learning rates"));
  EXPECT_EQ(compare_runs(swept_rates(), {.baseline = "optimizer.lr=0.1"}).rows.size(), 6u);
}

TEST(ComparisonRates, OneAtWhichARunDivergedIsNotChosen) {
  auto runs = swept_rates();
  runs[0].summary.status = RunStatus::diverged;  // relu, 0.1
  EXPECT_EQ(compare_runs(runs).rows[0].values, std::vector<std::string>{"0.01"});
}

TEST(ComparisonRates, TheTestSplitDoesNotChoose) {
  auto runs = swept_rates();
  for (auto& run : runs) run.summary.selected_by = "test";
  const auto comparison = compare_runs(runs);
  EXPECT_EQ(comparison.rows.size(), 6u);
  EXPECT_TRUE(any_note_has(comparison, "the test split must not choose: each value has its own rows"));
  const auto refusal = message_of([&] { compare_runs(runs, {.by = {"activation"}}); });
  EXPECT_NE(refusal.find("not every run held out a validation split"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("add optimizer.lr to --by"), std::string::npos) << refusal;
}

TEST(ComparisonRates, EachOtherSettingHasItsOwnChoice) {
  auto runs = swept_rates();
  for (auto run : swept_rates()) {
    run.config["train.epochs"] = "2";
    if (run.config["optimizer.lr"] == "1") run.summary.validation_accuracy = 0.9;
    runs.push_back(run);
  }
  const auto comparison = compare_runs(runs);
  ASSERT_EQ(comparison.rows.size(), 4u);
  EXPECT_EQ(comparison.rows[2].values, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(comparison.rows[3].verdict, "too few seeds: needs about 7")
      << "against its own relu, at 0 spread";
}

TEST(ComparisonKeys, OtherExperimentsAreNotAveraged) {
  auto runs = three_seeds();
  runs[0].config["train.epochs"] = "2";
  runs[1].config["train.epochs"] = "2";
  const auto refusal = message_of([&] { compare_runs(runs, {.by = {"activation"}}); });
  EXPECT_EQ(refusal,
            "--by activation: the runs differ in train.epochs (-, 2) too, and different experiments are not "
            "averaged: add to --by, or name fewer folders");
  EXPECT_EQ(compare_runs(runs, {.by = {"train.epochs"}}).rows.size(), 4u);
  const auto unknown = message_of([&] { compare_runs(runs, {.by = {"train.epoch"}}); });
  EXPECT_EQ(unknown.find("--by train.epoch: no run has this setting, nearest: train.epochs"), 0u) << unknown;
  for (int i = 0; i < 9; ++i) runs[0].config[concat("data.option", i)] = "1";
  const auto many = message_of([&] { compare_runs(runs, {.by = {"activation"}}); });
  EXPECT_NE(many.find("data.option4 (-, 1), 5 more too"), std::string::npos) << many;
}

TEST(ComparisonKeys, MayBeWhatElseWouldShareARow) {
  auto runs = three_seeds();
  for (auto& run : runs) run.config["threads"] = run.summary.seed == 0 ? "1" : "2";
  const auto comparison = compare_runs(runs, {.by = {"threads"}});
  ASSERT_EQ(comparison.rows.size(), 4u);
  EXPECT_EQ(comparison.rows[2].seeds, 2);
  EXPECT_FALSE(any_note_has(comparison, "rows mix runs"));
  EXPECT_EQ(compare_runs(runs, {.by = {"seed"}}).rows.size(), 6u);
  EXPECT_EQ(compare_runs(runs, {.by = {"optimizer.lr"}}).rows[0].values, std::vector<std::string>{"0.05"});
}

}  // namespace
}  // namespace actlab
