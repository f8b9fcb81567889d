// Comparisons of made-up runs, with numbers worked out by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/experiments/made_up_runs.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

TEST(Comparison, MeansIntervalsAndPairedDeltas) {
  const auto comparison = compare_runs(three_seeds());
  EXPECT_TRUE(comparison.keys.empty());
  EXPECT_TRUE(notes_of(comparison).empty());
  ASSERT_EQ(comparison.rows.size(), 2u);
  const auto& gelu = comparison.rows[0];
  EXPECT_EQ(gelu.activation, "gelu");
  EXPECT_EQ(gelu.seeds, 3);
  EXPECT_DOUBLE_EQ(gelu.accuracy_mean, 0.73);
  EXPECT_NEAR(gelu.accuracy_ci95, 4.302652729749464 * 0.02 / std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(gelu.delta, 0.02, 1e-15);
  EXPECT_NEAR(gelu.delta_ci95, 4.302652729749464 * 0.01 / std::sqrt(3.0), 1e-12);
  const double t = 2 * std::sqrt(3.0);  // differences 1, 2, 3 points
  EXPECT_NEAR(gelu.delta_p, 1 - t / std::sqrt(2 + t * t), 1e-12);
  EXPECT_NEAR(gelu.best_accuracy_mean, 0.74, 1e-15);
  EXPECT_EQ(gelu.status, "done");
  EXPECT_TRUE(std::isnan(comparison.rows[1].delta)) << "the baseline has none";
}

TEST(Comparison, ABaselineMayBeAValueOfASetting) {
  std::vector<StoredRun> runs;
  for (std::int64_t seed = 0; seed < 3; ++seed)
    for (const char* activation : {"gelu", "relu"})
      for (const char* precision : {"bf16", "f32"}) {
        const bool half = std::string(precision) == "bf16";
        runs.push_back(make_run(activation, seed, 0.7 + (half ? 0.001 * static_cast<double>(seed) : 0)));
        runs.back().summary.precision = precision;
      }
  const auto comparison = compare_runs(runs, {.baseline = "precision=f32", .metric = {}});
  ASSERT_EQ(comparison.rows.size(), 4u);
  for (const ComparisonRow& row : comparison.rows) {
    if (row.values == std::vector<std::string>{"f32"}) {
      EXPECT_TRUE(std::isnan(row.delta));
      continue;
    }
    EXPECT_NEAR(row.delta, 0.001, 1e-12) << row.activation;
    EXPECT_NEAR(row.delta_ci95, 4.302652729749464 * 0.001 / std::sqrt(3.0), 1e-12);
  }
  const auto refusal = [&](const std::string& baseline) {
    return message_of([&] { compare_runs(runs, {.baseline = baseline, .metric = {}}); });
  };
  EXPECT_NE(refusal("precision=f64").find("there are bf16, f32"), std::string::npos);
  EXPECT_NE(refusal("fuse=true").find("do not differ in 'fuse'; they do in precision"), std::string::npos);
}

TEST(Comparison, PValuesAreCorrectedOverAllRows) {
  auto runs = three_seeds();
  const double one = compare_runs(runs).rows[0].delta_p;
  const double silu[] = {0.70, 0.72, 0.71};
  for (std::int64_t seed = 0; seed < 3; ++seed) runs.push_back(make_run("silu", seed, silu[seed]));
  EXPECT_NEAR(compare_runs(runs).rows[0].delta_p, 2 * one, 1e-12);
}

TEST(Comparison, OneSeedHasNoInterval) {
  const auto row = compare_runs({make_run("relu", 0, 0.7), make_run("gelu", 0, 0.71)}).rows[1];
  EXPECT_TRUE(std::isnan(row.accuracy_ci95));
  EXPECT_TRUE(std::isnan(row.delta_p));
  EXPECT_NEAR(row.delta, 0.01, 1e-15);
}

TEST(Comparison, DeltasPairSeedsThatBothHaveDone) {
  auto runs = three_seeds();
  runs.push_back(make_run("gelu", 7, 0.1));
  EXPECT_NEAR(compare_runs(runs).rows[0].delta, 0.02, 1e-15);
}

TEST(Comparison, DivergedRunsKeepTheirPlace) {
  auto runs = three_seeds();
  runs[0].summary.status = RunStatus::diverged;
  runs[0].summary.accuracy = std::nan("");
  runs.push_back(make_run("silu", 0, 0.1, RunStatus::failed));
  const auto rows = compare_runs(runs).rows;
  EXPECT_EQ(rows[0].status, "done 2, diverged 1");
  EXPECT_EQ(rows[0].seeds, 3);
  EXPECT_DOUBLE_EQ(rows[0].accuracy_mean, 0.74);
  EXPECT_NEAR(rows[0].delta, 0.025, 1e-15);
  EXPECT_EQ(rows[2].status, "failed");
  EXPECT_TRUE(std::isnan(rows[2].accuracy_mean));
}

TEST(Comparison, ConvergenceCountsThoseThatNeverGetThere) {
  auto runs = three_seeds();
  runs[0].summary.convergence_steps = 300;
  runs[2].summary.convergence_steps = 100;
  const auto rows = compare_runs(runs).rows;
  EXPECT_EQ(rows[0].reached, "2/3");
  EXPECT_EQ(rows[0].convergence_steps, 300) << "of 100, 300 and one that lies beyond";
  EXPECT_EQ(rows[1].reached, "0/3");
  EXPECT_TRUE(std::isnan(rows[1].convergence_steps));
  runs[4].summary.status = RunStatus::running;
  EXPECT_EQ(compare_runs(runs).rows[0].reached, "2/2") << "what is under way may get there yet";
  EXPECT_EQ(compare_runs(runs).rows[0].convergence_steps, 200);
  runs[4].summary.status = RunStatus::diverged;
  EXPECT_EQ(compare_runs(runs).rows[0].reached, "2/3");
  for (auto& run : runs) run.summary.target = 0;
  EXPECT_EQ(compare_runs(runs).rows[1].reached, "");
}

// Whoever reads a table of one precision must see which; f32 goes without saying.
TEST(Comparison, PrecisionStandsInTheTableWhereItIsNotF32) {
  auto runs = three_seeds();
  EXPECT_EQ(to_table(compare_runs(runs)).columns[1].name, "seeds");
  for (auto& run : runs) run.summary.precision = "bf16";
  const auto one = compare_runs(runs);
  EXPECT_EQ(to_table(one).columns[1].name, "precision");
  EXPECT_EQ(one.rows[0].values, std::vector<std::string>{"bf16"});
  EXPECT_TRUE(notes_of(one).empty());

  for (const auto& run : three_seeds()) runs.push_back(run);
  const auto two = compare_runs(runs);
  EXPECT_EQ(two.keys, std::vector<std::string>{"precision"});
  ASSERT_EQ(two.rows.size(), 4u);
  EXPECT_EQ(two.rows[2].values, std::vector<std::string>{"f32"});
  EXPECT_NEAR(two.rows[0].delta, 0.02, 1e-15);
  ASSERT_EQ(notes_of(two).size(), 1u);
  EXPECT_NE(two.notes[0].find("differ in precision"), std::string::npos) << two.notes[0];
}

TEST(Comparison, DifferentExperimentsAreNotAveraged) {
  auto runs = three_seeds();
  for (auto run : three_seeds()) {
    run.config["optimizer.lr"] = "0.1";
    run.config["name"] = "other";
    run.summary.accuracy -= 0.3;
    runs.push_back(run);
  }
  const auto comparison = compare_runs(runs);
  EXPECT_EQ(comparison.keys, std::vector<std::string>{"optimizer.lr"});
  ASSERT_EQ(comparison.rows.size(), 4u);
  EXPECT_EQ(comparison.rows[2].values, std::vector<std::string>{"0.1"});
  EXPECT_NEAR(comparison.rows[2].delta, 0.02, 1e-12) << "against the baseline of the same settings";
  ASSERT_EQ(notes_of(comparison).size(), 1u);
  EXPECT_EQ(to_table(comparison).columns[1].name, "optimizer.lr");

  runs = three_seeds();
  runs[0].summary.version = "2";
  EXPECT_EQ(compare_runs(runs).keys, std::vector<std::string>{"version"});
}

TEST(Comparison, ThreadsAndFoldersOfDataShareRows) {
  auto runs = three_seeds();
  for (auto& run : runs) run.config["threads"] = "0", run.config["data.root"] = "data";
  EXPECT_TRUE(notes_of(compare_runs(runs)).empty());
  runs[2].config["threads"] = "2";
  runs[3].config["data.root"] = "elsewhere";
  const auto comparison = compare_runs(runs);
  EXPECT_TRUE(comparison.keys.empty());
  ASSERT_EQ(comparison.rows.size(), 2u);
  EXPECT_DOUBLE_EQ(comparison.rows[0].accuracy_mean, 0.73);
  ASSERT_EQ(notes_of(comparison).size(), 2u);
  EXPECT_EQ(
      comparison.notes[0],
      "rows mix runs that differ in threads (0, 2): last bits of the accuracies may depend on it, times do");
  EXPECT_EQ(comparison.notes[1],
            "rows mix runs that differ in data.root (data, elsewhere): taken for folders of the same images");
}

TEST(Comparison, OtherImagesHaveTheirOwnRows) {
  auto runs = three_seeds();
  for (auto& run : runs) run.config["data.root"] = "flowers", run.summary.data = std::string(64, 'a');
  EXPECT_TRUE(notes_of(compare_runs(runs)).empty());
  runs[3].config["data.root"] = "trees", runs[3].summary.data = std::string(64, 'b');
  const auto comparison = compare_runs(runs);
  EXPECT_EQ(comparison.keys, std::vector<std::string>{"data"});
  ASSERT_EQ(comparison.rows.size(), 3u);
  EXPECT_EQ(comparison.rows[2].values, std::vector<std::string>{"bbbbbbbb"});
  EXPECT_EQ(comparison.notes[0], "the runs differ in data: each value has its own rows");
}

TEST(Comparison, RunsSelectedByDifferentSplitsAreNotAveraged) {
  auto runs = three_seeds();
  for (auto run : three_seeds()) {
    run.config["data.validation"] = "0.1";
    run.summary.selected_by = "validation";
    runs.push_back(run);
  }
  auto comparison = compare_runs(runs);
  EXPECT_EQ(comparison.keys, (std::vector<std::string>{"data.validation", "selected_by"}));
  ASSERT_EQ(comparison.rows.size(), 4u);
  EXPECT_EQ(comparison.rows[2].values, (std::vector<std::string>{"0.1", "validation"}));
  EXPECT_EQ(comparison.rows[2].seeds, 3);

  comparison = compare_runs({runs.begin() + 6, runs.end()});
  EXPECT_EQ(comparison.rows.size(), 2u);
  ASSERT_EQ(notes_of(comparison).size(), 1u);
  EXPECT_NE(comparison.notes[0].find("validation split"), std::string::npos);

  // A share of nothing is what older programs had without the key.
  runs = three_seeds();
  runs[0].config["data.validation"] = "0";
  EXPECT_EQ(compare_runs(runs).rows.size(), 2u);
}

TEST(Comparison, PairsFewerThanSeedsAreNoted) {
  auto runs = three_seeds();
  runs.push_back(make_run("gelu", 7, 0.1));
  const auto comparison = compare_runs(runs);
  EXPECT_EQ(comparison.rows[0].seeds, 4);
  ASSERT_EQ(notes_of(comparison).size(), 1u);
  EXPECT_EQ(comparison.notes[0],
            "gelu: its delta is the mean over 3 of 4 seeds, those that relu has done too");
}

TEST(Comparison, AmbiguousBaselinesAreRefused) {
  const std::vector<StoredRun> runs = {make_run("elu(alpha=1)", 0, 0.6), make_run("elu(alpha=0.5)", 0, 0.7)};
  EXPECT_NEAR(compare_runs(runs, {.baseline = "elu(alpha=0.5)", .metric = {}}).rows[0].delta, -0.1, 1e-15);
  EXPECT_NEAR(compare_runs(runs).rows[1].delta, 0.1, 1e-15) << "without relu the first";
  try {
    compare_runs(runs, {.baseline = "elu", .metric = {}});
    ADD_FAILURE() << "took one";
  } catch (const ConfigError& e) {
    EXPECT_EQ(std::string(e.what()),
              "the baseline activation 'elu' may be one of: elu(alpha=0.5), elu(alpha=1)");
  }
}

TEST(Comparison, OfOneJobTheNewestCounts) {
  auto runs = three_seeds();
  auto again = make_run("gelu", 0, 0.99);
  again.folder = "again";
  again.summary.started = "2024-05-02T12:00:00Z";
  for (const bool first : {false, true}) {
    auto all = runs;
    all.insert(first ? all.begin() : all.end(), again);
    const auto comparison = compare_runs(all);
    EXPECT_EQ(comparison.rows[0].seeds, 3);
    EXPECT_NEAR(comparison.rows[0].accuracy_mean, (0.99 + 0.73 + 0.75) / 3, 1e-12);
    ASSERT_EQ(notes_of(comparison).size(), 1u);
    EXPECT_EQ(comparison.notes[0],
              "gelu, seed 0: there are several runs; took the newest that is done, again");
  }
}

TEST(Comparison, BaselineByNameOrSpelling) {
  std::vector<StoredRun> runs = {make_run("elu(alpha=1)", 0, 0.6), make_run("gelu", 0, 0.7)};
  EXPECT_NEAR(compare_runs(runs).rows[1].delta, 0.1, 1e-15) << "without relu the first";
  EXPECT_NEAR(compare_runs(runs, {.baseline = "gelu", .metric = {}}).rows[0].delta, -0.1, 1e-15);
  EXPECT_NEAR(compare_runs(runs, {.baseline = "elu", .metric = {}}).rows[1].delta, 0.1, 1e-15);
  EXPECT_NEAR(compare_runs(runs, {.baseline = "elu(alpha=1)", .metric = {}}).rows[1].delta, 0.1, 1e-15);
  EXPECT_THROW(compare_runs(runs, {.baseline = "relu", .metric = {}}), ConfigError);
  EXPECT_THROW(compare_runs({}), ConfigError);
}

// The same runs as text: relu's losses are 2, 2.1 and 2.2, gelu's 0.1, 0.2 and 0.3 less.
std::vector<StoredRun> three_seeds_of_text() {
  auto runs = three_seeds();
  for (auto& run : runs) {
    const auto seed = static_cast<double>(run.summary.seed);
    const double less = run.summary.activation == "gelu" ? 0.1 * (seed + 1) : 0;
    run.summary.metric = Metric::loss;
    run.summary.loss = 2 + 0.1 * seed - less;
    run.summary.best_loss = run.summary.loss - 0.5;
    run.summary.target = 0, run.summary.target_loss = 2;
    run.summary.tokens_per_second = 1000;
    run.summary.saved_bytes_by_layer = {
        {"block0.ffn.up", 100}, {"block1.ffn", 20}, {"ffn_norm", 7}, {"block0.attention.qkv", 30}};
  }
  return runs;
}

TEST(Comparison, TextIsComparedByLoss) {
  const auto comparison = compare_runs(three_seeds_of_text());
  EXPECT_EQ(comparison.score.name, "loss");
  EXPECT_TRUE(comparison.keys.empty());
  ASSERT_EQ(notes_of(comparison).size(), 1u);
  EXPECT_EQ(comparison.notes[0], "deltas are of the loss, in nats: below 0 is better than the baseline");
  const auto& gelu = comparison.rows[0];
  EXPECT_NEAR(gelu.loss_mean, 1.9, 1e-12);
  EXPECT_NEAR(comparison.rows[1].loss_ci95, 4.302652729749464 * 0.1 / std::sqrt(3.0), 1e-12);
  EXPECT_NEAR(gelu.perplexity, std::exp(1.9), 1e-9);
  EXPECT_NEAR(gelu.delta, -0.2, 1e-12);
  const double t = 2 * std::sqrt(3.0);  // differences -0.1, -0.2, -0.3
  EXPECT_NEAR(gelu.delta_p, 1 - t / std::sqrt(2 + t * t), 1e-9);
  EXPECT_NEAR(gelu.best_loss_mean, 1.4, 1e-12);
  EXPECT_EQ(gelu.reached, "0/3");
  EXPECT_EQ(gelu.ffn_bytes, 120);
  EXPECT_EQ(gelu.attention_bytes, 30);
  const auto csv = render(to_table(comparison), TableFormat::csv);
  EXPECT_EQ(
      csv.substr(0, csv.find('\n')),
      "activation,seeds,loss_mean,loss_ci95,perplexity,accuracy_mean,delta,delta_ci95,delta_p,effect,verdict,"
      "best_loss_mean,best_loss_ci95,convergence_steps,reached,step_seconds,tokens_per_second,activation_"
      "bytes,ffn_bytes,"
      "attention_bytes,saved_bytes,peak_bytes,parameters,status");
  const auto text = render(to_table(comparison), TableFormat::table);
  EXPECT_NE(text.find("2.1000 ± 0.2484 nats"), std::string::npos) << text;
  EXPECT_NE(text.find("-0.2000 ± 0.2484 nats"), std::string::npos) << text;
}

TEST(Comparison, TheMetricMayBeChosen) {
  const auto text = compare_runs(three_seeds_of_text(), {.baseline = {}, .metric = "accuracy"});
  EXPECT_NEAR(text.rows[0].delta, 0.02, 1e-12);
  ASSERT_EQ(notes_of(text).size(), 1u);
  EXPECT_NE(text.notes[0].find("deltas are of the accuracy"), std::string::npos) << text.notes[0];
  auto images = three_seeds();
  for (auto& run : images) run.summary.loss = run.summary.activation == "gelu" ? 0.75 : 1;
  EXPECT_NEAR(compare_runs(images, {.baseline = {}, .metric = "loss"}).rows[0].delta, -0.25, 1e-12);
}

TEST(Comparison, ImagesAndTextStandApartAndAreComparedByAccuracy) {
  auto runs = three_seeds_of_text();
  for (auto& run : runs) run.config["data.name"] = "text";
  for (auto run : three_seeds()) {
    run.config["data.name"] = "cifar10";
    run.summary.images_per_second = 500;
    runs.push_back(run);
  }
  const auto comparison = compare_runs(runs);
  EXPECT_EQ(comparison.score.name, "accuracy");
  EXPECT_EQ(comparison.keys, std::vector<std::string>{"data.name"});
  ASSERT_EQ(comparison.rows.size(), 4u);
  EXPECT_NEAR(comparison.rows[2].delta, 0.02, 1e-12);
  const auto csv = render(to_table(comparison), TableFormat::csv);
  EXPECT_NE(csv.find("images_per_second,tokens_per_second"), std::string::npos) << csv;
}

TEST(Comparison, TableHasTheAgreedColumns) {
  const auto csv = render(to_table(compare_runs(three_seeds())), TableFormat::csv);
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "activation,seeds,accuracy_mean,accuracy_ci95,delta,delta_ci95,delta_p,effect,verdict,"
            "best_accuracy_mean,best_accuracy_ci95,convergence_steps,reached,step_seconds,images_per_second,"
            "activation_bytes,saved_bytes,peak_bytes,parameters,status");
  const auto text = render(to_table(compare_runs(three_seeds())), TableFormat::table);
  EXPECT_NE(text.find("73.00 ± 4.97 %  +2.00 ± 2.48 pp"), std::string::npos) << text;
}

}  // namespace
}  // namespace actlab
