// The parts of a report: curves over seeds, bytes by layer, the page.
#include "experiments/report/report.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/report/arm.h"
#include "experiments/report/layer_bytes.h"
#include "framework/core/sha256.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/well_formed.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

// Runs of an experiment, written as the program writes them.
class Runs {
 public:
  // The values are those of test_accuracy at steps 10, 20, ...
  fs::path add(const std::string& activation, std::int64_t seed, RunStatus status,
               const std::vector<double>& accuracies) {
    const fs::path path = folder_.path() / concat("20260101-000000-", stored_.size(), "-s", seed);
    fs::create_directory(path);
    const RunFolder run(path);
    run.write("config.toml", "name = \"a <b>\"\n[model]\nname = \"small_cnn\"\n");
    run.write_environment({{"processor", "A & B"}, {"cores", seed + 1}});
    RunSummary summary;
    summary.status = status, summary.name = "a <b>", summary.activation = activation, summary.seed = seed;
    summary.steps = 10 * std::ssize(accuracies), summary.target = 0.5, summary.step_seconds = 0.01;
    summary.started = "2026-01-01T00:00:00Z";
    if (status == RunStatus::done) summary.accuracy = accuracies.back(), summary.loss = 1;
    if (status == RunStatus::diverged) summary.message = "loss <nan>";
    summary.saved_bytes = 3'000'000;
    summary.saved_bytes_by_layer = {
        {"block1.norm", 1'000'000}, {"block2.norm", 1'000'000}, {"head", 1'000'000}};
    run.write_summary(summary);
    std::int64_t step = 0;
    for (const double accuracy : accuracies)
      run.append_metrics({{"step", step += 10}, {"test_accuracy", accuracy}, {"test_loss", 1 - accuracy}});
    stored_.push_back(
        {path, summary, {{"model.name", "small_cnn"}, {"data.name", "synthetic"}, {"seed", concat(seed)}}});
    return path;
  }
  void set(const std::string& key, const std::string& value) { stored_.back().config[key] = value; }
  Report report() const { return make_report(stored_, compare_runs(stored_), ""); }
  std::vector<Arm> arms() const {
    std::vector<std::string> messages;
    const auto all = arms_of(stored_, compare_runs(stored_), messages);
    EXPECT_TRUE(messages.empty());
    return all;
  }

 private:
  TemporaryFolder folder_;
  std::vector<StoredRun> stored_;
};

TEST(MeanCurve, IsOfTheDoneRunsAtTheirCommonSteps) {
  Runs runs;
  runs.add("relu", 0, RunStatus::done, {0.1, 0.2, 0.4});
  runs.add("relu", 1, RunStatus::done, {0.3, 0.4});
  runs.add("relu", 2, RunStatus::diverged, {0.9});
  runs.add("gelu", 0, RunStatus::diverged, {0.2, std::nan("")});
  const std::vector<Arm> arms = runs.arms();
  ASSERT_EQ(arms.size(), 2u);
  const std::vector<Point> relu = mean_curve(arms[0], "test_accuracy", 100);
  ASSERT_EQ(relu.size(), 2u);
  EXPECT_EQ(relu[1].x, 20);
  EXPECT_NEAR(relu[1].y, 30, 1e-12);
  EXPECT_NEAR(relu[1].spread, 127.062047, 1e-5);  // t of one degree of freedom, 12.706, times 10
  const std::vector<Point> gelu = mean_curve(arms[1], "test_accuracy", 1);
  ASSERT_EQ(gelu.size(), 1u);
  EXPECT_EQ(gelu[0].y, 0.2);
  EXPECT_TRUE(std::isnan(gelu[0].spread));
  EXPECT_TRUE(mean_curve(arms[0], "no_such_metric", 1).empty());
}

TEST(Arms, AreNamedByWhatTellsThemApart) {
  Runs runs;
  runs.add("relu", 0, RunStatus::done, {0.1});
  runs.add("relu", 0, RunStatus::done, {0.1});
  runs.set("optimizer.lr", "0.1"), runs.set("model.name", "bert_ffn"), runs.set("data.batch", "7");
  runs.add("gelu", 0, RunStatus::done, {0.1});
  runs.set("optimizer.lr", "0.2");
  const std::vector<Arm> arms = runs.arms();
  ASSERT_EQ(arms.size(), 3u);
  EXPECT_EQ(arms[0].name, "relu, model.name = small_cnn");
  EXPECT_EQ(arms[1].name, "relu, model.name = bert_ffn");
  EXPECT_EQ(arms[2].name, "gelu, model.name = small_cnn");
}

TEST(LayerBytes, AddsBlocksAndKeepsTheLargest) {
  Runs runs;
  runs.add("relu", 0, RunStatus::done, {0.1});
  const LayerBytes bytes = layer_bytes(runs.arms()[0]);
  EXPECT_EQ(bytes, (LayerBytes{{"block*.norm", 2e6}, {"head", 1e6}}));
  const LayerBytes many = {{"a", 1}, {"b", 5}, {"c", 3}, {"d", 4}};
  EXPECT_EQ(largest_layers({many}, 4), (std::vector<std::string>{"a", "b", "c", "d"}));
  const auto names = largest_layers({many, {{"a", 2}}}, 3);
  EXPECT_EQ(names, (std::vector<std::string>{"b", "d", "other"}));
  EXPECT_EQ(parts_of(many, names), (std::vector<double>{5, 4, 4}));
}

TEST(Report, HoldsRowsChartsAndCircumstances) {
  Runs runs;
  const fs::path first = runs.add("relu", 0, RunStatus::done, {0.1, 0.6});
  runs.add("relu", 1, RunStatus::done, {0.2, 0.5});
  runs.add("gelu", 0, RunStatus::done, {0.2, 0.4});
  runs.add("gelu", 1, RunStatus::diverged, {0.2});
  const Report report = runs.report();
  EXPECT_TRUE(report.messages.empty());
  const std::string& html = report.html;
  EXPECT_EQ(markup_fault(html), "");
  EXPECT_TRUE(html.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
  EXPECT_NE(html.find("<h1>a &lt;b&gt;</h1>"), html.npos);
  EXPECT_EQ(html.find("<b>"), html.npos);
  EXPECT_EQ(count_of(html, "<th scope=\"row\">"), 2u);
  EXPECT_EQ(count_of(html, "<figure>"),
            6u);  // score, accuracy, loss, convergence, memory, time; no train_loss
  EXPECT_EQ(count_of(html, "<svg class=\"chart\""), 6u);
  EXPECT_NE(html.find("gelu, seed 1: diverged: loss &lt;nan&gt;"), html.npos);
  EXPECT_NE(html.find("reached 0/2"), html.npos);
  EXPECT_NE(html.find("A &amp; B"), html.npos);
  EXPECT_NE(html.find("<dd>1 \u00b7 2</dd>"), html.npos);  // cores, which differ
  EXPECT_NE(html.find(sha256_of_file(first / "summary.json")), html.npos);
  for (const char* elsewhere : {"<script", "src=", "@import", "url("})
    EXPECT_EQ(html.find(elsewhere), html.npos) << elsewhere;
  EXPECT_EQ(runs.report().html, html);
}

TEST(Report, StandsRunsWithoutResults) {
  Runs runs;
  fs::remove(runs.add("relu", 0, RunStatus::running, {}) / "metrics.jsonl");
  runs.add("gelu", 0, RunStatus::failed, {});
  const Report report = runs.report();
  EXPECT_EQ(markup_fault(report.html), "");
  EXPECT_NE(report.html.find("Not done: 2 runs"), std::string::npos);
  EXPECT_NE(report.html.find("relu, seed 0: running"), std::string::npos);
}

TEST(Report, DamagedMetricsAreSaidAndLeftOut) {
  Runs runs;
  RunFolder(runs.add("relu", 0, RunStatus::done, {0.1, 0.6}))
      .write("metrics.jsonl", "{\"step\":10}\nno json\n");
  RunFolder(runs.add("relu", 1, RunStatus::done, {0.1, 0.6})).write("environment.json", "{");
  const Report report = runs.report();
  ASSERT_EQ(report.messages.size(), 2u);
  EXPECT_NE(report.messages[0].find("metrics.jsonl:2"), std::string::npos) << report.messages[0];
  EXPECT_NE(report.html.find("left out what is damaged"), std::string::npos);
  EXPECT_EQ(markup_fault(report.html), "");
}

}  // namespace
}  // namespace actlab
