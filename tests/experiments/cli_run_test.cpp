// The program trains, evaluates and compares, from an experiment file to the tables.
#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/actlab_program.h"
#include "tests/support/run_folders.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string smoke = "run '" ACTLAB_SOURCE_DIR "/experiments/configs/synthetic_smoke.toml' ";
// The same on fewer and smaller images: two updates a job.
const std::string small =
    smoke + "data.train=64 data.test=40 data.size=8 data.batch=32 model.widths=[4,4] train.epochs=1 ";
const std::string one_job = small + "sweep.activation=gelu sweep.seed= ";

const std::vector<std::string> columns = {"activation",
                                          "seeds",
                                          "accuracy_mean",
                                          "accuracy_ci95",
                                          "delta",
                                          "delta_ci95",
                                          "delta_p",
                                          "effect",
                                          "verdict",
                                          "best_accuracy_mean",
                                          "best_accuracy_ci95",
                                          "convergence_steps",
                                          "reached",
                                          "step_seconds",
                                          "images_per_second",
                                          "activation_bytes",
                                          "saved_bytes",
                                          "peak_bytes",
                                          "parameters",
                                          "status"};

json parsed(const std::string& text) { return json::parse(text, nullptr, false); }

// The folder of the only run of an activation and a seed.
fs::path run_of(const fs::path& runs, const std::string& activation, int seed = 0) {
  std::vector<fs::path> found;
  for (const fs::path& path : run_folders_in(runs))
    if (path.filename().string().find(concat("-", activation, "-s", seed, "-")) != std::string::npos)
      found.push_back(path);
  EXPECT_EQ(found.size(), 1u) << activation << " in " << runs;
  return found.empty() ? fs::path() : found[0];
}

std::vector<json> lines_of(const fs::path& file) {
  std::istringstream text(read_file(file));
  std::vector<json> lines;
  for (std::string line; std::getline(text, line);) lines.push_back(parsed(line));
  return lines;
}

std::vector<std::string> keys_in_order(const std::string& object) {
  std::vector<std::string> keys;
  const auto ordered = nlohmann::ordered_json::parse(object);
  for (const auto& [key, value] : ordered.items()) keys.push_back(key);
  return keys;
}

TEST(CliRun, SmokeExperimentEndToEnd) {
  const ActlabProgram actlab;
  const Outcome first = actlab.run(smoke + "train.epochs=1 --format json");
  ASSERT_EQ(first.code, 0) << first.err;
  const json table = parsed(first.out);
  ASSERT_EQ(table.size(), 2u) << first.out;
  EXPECT_EQ(table[0]["activation"], "relu");
  EXPECT_EQ(table[1]["activation"], "gelu");
  EXPECT_EQ(table[1]["seeds"], 2);
  EXPECT_EQ(table[1]["status"], "done");

  const fs::path runs = actlab.folder() / "runs" / "synthetic_smoke";
  EXPECT_EQ(run_folders_in(runs).size(), 4u);
  const fs::path run = run_of(runs, "gelu", 1);
  for (const char* name : {"config.toml", "environment.json", "metrics.jsonl", "summary.json"})
    EXPECT_TRUE(fs::is_regular_file(run / name)) << name;
  EXPECT_TRUE(fs::exists(run / "checkpoints" / "step-16" / "model.safetensors"));

  const json environment = parsed(read_file(run / "environment.json"));
  for (const char* key :
       {"version", "compiler", "processor", "threads", "instruction_set", "matmul", "classes"})
    EXPECT_TRUE(environment.contains(key)) << key;
  const auto metrics = lines_of(run / "metrics.jsonl");
  ASSERT_EQ(metrics.size(), 1u);
  for (const char* key : {"step", "epoch", "train_loss", "test_loss", "test_accuracy", "lr"})
    EXPECT_TRUE(metrics[0].at(key).is_number()) << key;

  const json summary = parsed(read_file(run / "summary.json"));
  EXPECT_EQ(summary["status"], "done");
  EXPECT_EQ(summary["activation"], "gelu");
  EXPECT_EQ(summary["seed"], 1);
  EXPECT_EQ(summary["steps"], 16);
  EXPECT_EQ(summary["epochs"], 1);
  EXPECT_EQ(summary["accuracy"], metrics[0]["test_accuracy"]);
  EXPECT_EQ(summary["loss"], metrics[0]["test_loss"]);
  EXPECT_GT(summary["step_seconds"], 0.0);
  EXPECT_GT(summary["activation_bytes"], 0);
  EXPECT_GT(summary["peak_bytes"], summary["saved_bytes"]);
  std::int64_t saved = 0;
  for (const auto& [key, value] : summary.items())
    if (key.starts_with("saved_bytes.")) saved += value.get<std::int64_t>();
  EXPECT_EQ(summary["saved_bytes"], saved);

  const Outcome evaluated = actlab.run("evaluate '" + run.string() + "' --format json");
  ASSERT_EQ(evaluated.code, 0) << evaluated.err;
  EXPECT_EQ(parsed(evaluated.out)["accuracy"], summary["accuracy"]);
  EXPECT_EQ(parsed(evaluated.out)["loss"], summary["loss"]);
  EXPECT_EQ(parsed(evaluated.out)["samples"], 256);
  EXPECT_EQ(parsed(evaluated.out)["step"], 16);
}

TEST(CliRun, DoneJobsAreSkippedUnlessForced) {
  const ActlabProgram actlab;
  const fs::path runs = actlab.folder() / "runs" / "synthetic_smoke";
  const Outcome first = actlab.run(one_job + "--format csv");
  ASSERT_EQ(first.code, 0) << first.err;
  const Outcome again = actlab.run(one_job + "--format csv");
  EXPECT_EQ(again.code, 0);
  EXPECT_EQ(again.out, first.out);
  EXPECT_NE(again.err.find("done before in runs/synthetic_smoke/"), std::string::npos) << again.err;
  EXPECT_EQ(run_folders_in(runs).size(), 1u);
  EXPECT_EQ(actlab.run(one_job + "optimizer.lr=0.01").code, 0);
  EXPECT_EQ(run_folders_in(runs).size(), 2u);
  EXPECT_EQ(actlab.run(one_job + "--force").code, 0);
  EXPECT_EQ(run_folders_in(runs).size(), 3u);
}

TEST(CliRun, EqualRunsWriteEqualMetrics) {
  const ActlabProgram actlab;
  const std::string augmented = one_job + "data.augment=true train.eval_every=1 ";
  ASSERT_EQ(actlab.run(augmented + "run.root=a").code, 0);
  ASSERT_EQ(actlab.run(augmented + "run.root=b").code, 0);
  const std::string metrics =
      read_file(run_of(actlab.folder() / "a/synthetic_smoke", "gelu") / "metrics.jsonl");
  EXPECT_EQ(std::count(metrics.begin(), metrics.end(), '\n'), 2);
  EXPECT_EQ(metrics, read_file(run_of(actlab.folder() / "b/synthetic_smoke", "gelu") / "metrics.jsonl"));
}

// The stored config is a whole experiment file: it describes the job that is done.
TEST(CliRun, StoredConfigLoadsAgain) {
  const ActlabProgram actlab;
  ASSERT_EQ(actlab.run(one_job).code, 0);
  const fs::path config = run_of(actlab.folder() / "runs/synthetic_smoke", "gelu") / "config.toml";
  const Outcome again = actlab.run("run '" + config.string() + "'");
  EXPECT_EQ(again.code, 0);
  EXPECT_NE(again.err.find("done before"), std::string::npos) << again.err;
}

TEST(CliRun, ArgumentsOverrideTheFile) {
  const ActlabProgram actlab;
  const Outcome outcome = actlab.run(
      small +
      "sweep.activation='gelu,elu(alpha=0.5)' sweep.seed=3 train.steps=1 run.root=else/where name=mine");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(fs::exists(actlab.folder() / "runs"));
  const fs::path runs = actlab.folder() / "else/where/mine";
  EXPECT_EQ(run_folders_in(runs).size(), 2u);
  const json summary = parsed(read_file(run_of(runs, "elu_alpha_0.5", 3) / "summary.json"));
  EXPECT_EQ(summary["activation"], "elu(alpha=0.5)");
  EXPECT_EQ(summary["steps"], 1);
}

TEST(CliRun, ValidationSplitDecides) {
  const ActlabProgram actlab;
  const Outcome outcome =
      actlab.run(one_job + "data.validation=0.25 train.epochs=3 train.target=0.01 --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("validation split"), std::string::npos) << outcome.err;
  const fs::path run = run_of(actlab.folder() / "runs/synthetic_smoke", "gelu");
  const auto metrics = lines_of(run / "metrics.jsonl");
  const json summary = parsed(read_file(run / "summary.json"));
  ASSERT_EQ(metrics.size(), 3u);
  const auto best = std::max_element(metrics.begin(), metrics.end(), [](const json& a, const json& b) {
    return a["validation_accuracy"] < b["validation_accuracy"];
  });
  EXPECT_EQ(summary["selected_by"], "validation");
  EXPECT_EQ(summary["best_accuracy"], best->at("test_accuracy"));
  EXPECT_EQ(summary["validation_accuracy"], metrics[2]["validation_accuracy"]);
  EXPECT_EQ(parsed(outcome.out)[0]["best_accuracy_mean"], summary["best_accuracy"]);

  const json evaluated = parsed(actlab.run("evaluate '" + run.string() + "' --format json").out);
  EXPECT_EQ(evaluated["samples"], 40);
  EXPECT_EQ(evaluated["validation_samples"], 14) << "two of seven images, one of six";
  EXPECT_EQ(evaluated["validation_accuracy"], metrics[2]["validation_accuracy"]);
  EXPECT_EQ(evaluated["validation_loss"], metrics[2]["validation_loss"]);
}

TEST(CliRun, CompareInEveryFormat) {
  const ActlabProgram actlab;
  ASSERT_EQ(actlab.run(small).code, 0);
  const Outcome as_json = actlab.run("compare runs --format json");
  const json table = parsed(as_json.out);
  ASSERT_EQ(table.size(), 2u) << as_json.out << as_json.err;
  for (const json& row : table) EXPECT_EQ(row.size(), columns.size());

  const Outcome lines = actlab.run("compare runs --format jsonl");
  EXPECT_EQ(std::count(lines.out.begin(), lines.out.end(), '\n'), 2);
  EXPECT_EQ(keys_in_order(lines.out.substr(0, lines.out.find('\n'))), columns);
  std::string header;
  for (const std::string& column : columns) header += (header.empty() ? "" : ",") + column;
  const Outcome csv = actlab.run("compare runs --format csv");
  EXPECT_EQ(csv.out.substr(0, csv.out.find('\n')), header);
  EXPECT_TRUE(
      actlab.run("compare runs --format md").out.starts_with("| activation | seeds | accuracy_mean |"));
  EXPECT_TRUE(actlab.run("compare runs").out.starts_with("activation  seeds"));

  const Outcome held = actlab.run("compare runs --baseline gelu --format json");
  for (const json& row : parsed(held.out)) EXPECT_EQ(row["delta"].is_null(), row["activation"] == "gelu");
  expect_refusal(actlab.run("compare runs --baseline gelo"), 2, {"'gelo'", "nearest: gelu"});
  EXPECT_TRUE(
      actlab.run("compare runs --metric loss --format csv").out.starts_with("activation,seeds,loss_mean,"));
  expect_refusal(actlab.run("compare runs --metric los"), 2, {"unknown metric 'los'", "nearest: loss"});
}

TEST(CliRun, DivergedJobsKeepTheirRows) {
  const ActlabProgram actlab;
  const Outcome outcome =
      actlab.run(smoke + "sweep.seed= sweep.optimizer.lr=0.01,1e30 train.steps=4 --format json");
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  std::map<std::string, int> statuses;
  for (const json& row : parsed(outcome.out)) ++statuses[row["status"]];
  EXPECT_EQ(statuses, (std::map<std::string, int>{{"diverged", 2}, {"done", 2}}));

  for (const fs::path& run : run_folders_in(actlab.folder() / "runs/synthetic_smoke")) {
    const json summary = parsed(read_file(run / "summary.json"));
    ASSERT_TRUE(summary.is_object());
    if (summary["status"] != "diverged") continue;
    EXPECT_NE(summary["message"].get<std::string>().find("not finite"), std::string::npos);
    EXPECT_GT(summary["saved_bytes"], 0);
    const fs::path metrics = run / "metrics.jsonl";  // absent where no evaluation was reached
    for (const json& line : fs::exists(metrics) ? lines_of(metrics) : std::vector<json>())
      EXPECT_TRUE(line.is_object());
    expect_refusal(actlab.run("evaluate '" + run.string() + "'"), 1,
                   {"checkpoints", "no complete checkpoint"});
  }
  const Outcome compared = actlab.run("compare runs --format json");
  EXPECT_EQ(compared.code, 0);
  EXPECT_EQ(parsed(compared.out).size(), 4u);
}

// One job's weights do not fit under the limit on the size of files; the others' do.
TEST(CliRun, FailedJobLeavesTheOthersRunning) {
  const ActlabProgram actlab;
  const Outcome outcome = actlab.run(
      small + "sweep.activation=relu sweep.seed=0 sweep.model.widths=[4,4],[64,64],[4,8] --format jsonl",
      "ulimit -f 100;");
  EXPECT_EQ(outcome.code, 4) << outcome.err;
  std::map<std::string, std::string> statuses;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);)
    statuses[parsed(line)["model.widths"]] = parsed(line)["status"];
  EXPECT_EQ(statuses, (std::map<std::string, std::string>{
                          {"[4, 4]", "done"}, {"[64, 64]", "failed"}, {"[4, 8]", "done"}}));
  EXPECT_NE(outcome.err.find("File too large"), std::string::npos) << outcome.err;
}

TEST(CliRun, EvaluateSaysWhatItCannotUse) {
  const ActlabProgram actlab;
  ASSERT_EQ(actlab.run(one_job).code, 0);
  const std::string run = run_of(actlab.folder() / "runs/synthetic_smoke", "gelu").string();
  const std::string evaluate = "evaluate '" + run + "' ";
  EXPECT_EQ(actlab.run(evaluate + "data.test=20").code, 0);
  expect_refusal(actlab.run(evaluate + "model.widths=[4,8]"), 2,
                 {"model.widths", "trained with [4, 4]", "keeps its model"});
  expect_refusal(actlab.run(evaluate + "activation=relu"), 2, {"trained with gelu", "relu"});
  expect_refusal(actlab.run(evaluate + "sweep.seed=0..2"), 2, {"sweep"});
  expect_refusal(actlab.run(evaluate + "data.name=cifar10"), 2,
                 {"argument 'data.name=cifar10'", "was made with data.name=synthetic", "keeps its data set"});
  EXPECT_EQ(actlab.run(evaluate + "data.name=synthetic").code, 0);
  expect_refusal(actlab.run("evaluate runs"), 2, {"no run folder"});
  expect_refusal(actlab.run("evaluate none"), 2, {"none", "no run folder"});

  const fs::path model = fs::path(run) / "checkpoints/step-2/model.safetensors";
  fs::resize_file(model, fs::file_size(model) - 1);
  const Outcome torn = actlab.run(evaluate);
  EXPECT_EQ(torn.code, 1);
  EXPECT_NE(torn.err.find("model.safetensors: checksum differs"), std::string::npos) << torn.err;
}

}  // namespace
}  // namespace actlab
