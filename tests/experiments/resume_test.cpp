// A run that is stopped anywhere and resumed leaves the files of one that was not.
#include <gtest/gtest.h>

#include "experiments/config/config.h"
#include "experiments/runner/job.h"
#include "framework/core/files.h"
#include "kernels/error.h"
#include "tests/support/message_of.h"
#include "tests/support/temporary_folder.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

// Stops after a step; 0: never.
struct Stopper : JobObserver {
  explicit Stopper(std::int64_t stop) : after(stop) {}
  void on_step(std::int64_t now, std::int64_t, double, std::int64_t) override { step = now; }
  void on_resume(std::int64_t now) override { resumed = now; }
  void on_warning(const std::string& text) override { warnings.push_back(text); }
  bool wants_stop() const override { return step == after; }
  std::int64_t after, step = 0, resumed = 0;
  std::vector<std::string> warnings;
};

class Resume : public testing::Test {
 protected:
  Experiment experiment(std::vector<std::string> arguments, const std::string& root) {
    const fs::path file = folder_.write(
        "tiny.toml",
        "[model]\nwidths = [4, 4]\ndropout = 0.2\nbatch_norm = true\nactivation = \"gelu\"\n"
        "[data]\nname = \"synthetic\"\ntrain = 40\ntest = 10\nsize = 8\nbatch = 16\naugment = true\n"
        "[train]\nepochs = 4\neval_every = 2\n");
    arguments.push_back("run.root=" + (folder_.path() / root).string());
    return load_experiment(file, arguments, known_schemas()).at(0);
  }
  RunFolder run(const Experiment& experiment, std::int64_t stop_after, Rerun rerun = Rerun::missing) {
    Stopper stopper(stop_after);
    const fs::path path = run_job(experiment, data_, stopper, rerun);
    resumed_ = stopper.resumed;
    return RunFolder(path);
  }

  TemporaryFolder folder_;
  DataSets data_;
  std::int64_t resumed_ = 0;
};

// Name and content of each file of the last checkpoint, and the metrics.
std::map<std::string, std::string> results_of(const RunFolder& run, std::int64_t step) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(run.checkpoints() / concat("step-", step)))
    files[entry.path().filename().string()] = read_file(entry.path());
  files["metrics.jsonl"] = read_file(run.path() / "metrics.jsonl");
  return files;
}

TEST_F(Resume, StoppedAnywhereEndsInTheSameBytes) {
  for (const std::string optimizer : {"sgd", "adamw"}) {
    const std::vector<std::string> arguments = {"optimizer.name=" + optimizer, "schedule.name=cosine"};
    const RunFolder whole = run(experiment(arguments, "whole-" + optimizer), 0);
    const std::int64_t end = whole.summary().steps;
    ASSERT_EQ(end, 12);
    const auto wanted = results_of(whole, end);
    ASSERT_EQ(wanted.size(), 4u);
    // On the way through an epoch, at an evaluation, at the end of an epoch, just before the end.
    for (const std::int64_t stop : {1, 2, 3, 4, 11}) {
      const Experiment again = experiment(arguments, concat("stopped-", optimizer, "-", stop));
      const RunFolder stopped = run(again, stop);
      ASSERT_EQ(stopped.summary().status, RunStatus::interrupted) << stopped.summary().message;
      EXPECT_EQ(stopped.summary().message, concat("stopped after step ", stop));
      EXPECT_EQ(run(again, 0).path(), stopped.path());
      EXPECT_EQ(resumed_, stop);
      EXPECT_EQ(stopped.summary().status, RunStatus::done);
      EXPECT_EQ(results_of(stopped, end), wanted) << optimizer << " after step " << stop;
      EXPECT_EQ(stopped.summary().accuracy, whole.summary().accuracy);
      EXPECT_EQ(stopped.summary().saved_bytes, whole.summary().saved_bytes);
    }
  }
}

// Killed between two checkpoints: the lines after the last one are written again.
TEST_F(Resume, MetricsAreCutBackToTheCheckpoint) {
  const std::vector<std::string> arguments = {"train.eval_every=1"};
  const auto wanted = results_of(run(experiment(arguments, "whole"), 0), 12);
  const RunFolder killed = run(experiment(arguments, "killed"), 5);
  fs::remove_all(killed.checkpoints() / "step-5");
  RunSummary summary = killed.summary();
  summary.status = RunStatus::running;
  killed.write_summary(summary);
  ASSERT_EQ(killed.metrics().size(), 5u);
  Stopper observer(0);
  resume_run(killed.path(), data_, observer);
  EXPECT_EQ(observer.resumed, 3);
  EXPECT_EQ(results_of(killed, 12), wanted);
}

TEST_F(Resume, KilledAfterTheLastCheckpointOnlyTheSummaryIsMissing) {
  const std::vector<std::string> learned = {"activation=swish(learned=layer)"};
  const RunFolder whole = run(experiment(learned, "runs"), 0);
  const RunSummary done = whole.summary();
  RunSummary summary;  // as it was written when the run began
  summary.activation = done.activation;
  summary.id = done.id;
  summary.metric = done.metric;
  summary.started = done.started;
  whole.write_summary(summary);
  EXPECT_EQ(run(experiment(learned, "runs"), 0).path(), whole.path());
  EXPECT_EQ(whole.summary().status, RunStatus::done);
  EXPECT_EQ(whole.summary().accuracy, done.accuracy);
  EXPECT_EQ(whole.summary().saved_bytes, done.saved_bytes);
  EXPECT_EQ(whole.summary().activation_bytes, done.activation_bytes);
  EXPECT_EQ(whole.summary().learned, done.learned);
  EXPECT_EQ(done.learned.size(), 2u);
  EXPECT_EQ(whole.summary().peak_bytes_by_kind.at("activations"), done.peak_bytes_by_kind.at("activations"));
  EXPECT_GT(whole.summary().images_per_second, 0);
}

// Killed before anything was trained.
TEST_F(Resume, AFolderWithoutASummaryIsRefused) {
  const RunFolder run = RunFolder::create(experiment({}, "runs"), "0123abcd");
  Stopper observer(0);
  const std::string message = message_of([&] { resume_run(run.path(), data_, observer); });
  EXPECT_NE(message.find("has no summary.json, nothing was trained; to begin: actlab run"), std::string::npos)
      << message;
}

TEST_F(Resume, ATornCheckpointIsPassedOver) {
  const auto wanted = results_of(run(experiment({}, "whole"), 0), 12);
  const RunFolder torn = run(experiment({}, "torn"), 7);
  fs::resize_file(torn.checkpoints() / "step-7/optimizer.safetensors", 9);
  Stopper observer(0);
  resume_run(torn.path(), data_, observer);
  ASSERT_EQ(observer.warnings.size(), 1u);
  EXPECT_NE(observer.warnings[0].find("passed over"), std::string::npos) << observer.warnings[0];
  EXPECT_EQ(observer.resumed, 6);
  EXPECT_EQ(results_of(torn, 12), wanted);
}

TEST_F(Resume, WhatIsNoLongerTheSameIsRefused) {
  Stopper observer(0);
  const auto refusal = [&](const RunFolder& run) {
    return message_of([&] { resume_run(run.path(), data_, observer); });
  };
  EXPECT_NE(refusal(RunFolder(folder_.path())).find("no run folder"), std::string::npos);
  EXPECT_NE(refusal(run(experiment({}, "done"), 0)).find("is done, after 12 steps"), std::string::npos);

  const RunFolder stopped = run(experiment({}, "stopped"), 2);
  {
    const auto lock = RunLock::take(stopped.path());
    EXPECT_NE(refusal(stopped).find("another process is running it"), std::string::npos);
  }
  const std::string config = read_file(stopped.config());
  std::string changed = config;
  changed.replace(changed.find("lr = 0.05"), 9, "lr = 0.01");
  stopped.write("config.toml", changed);
  EXPECT_NE(refusal(stopped).find("config.toml is not that which it began with"), std::string::npos);
  stopped.write("config.toml", config);

  Record environment = stopped.environment();
  for (auto& [name, cell] : environment)
    if (name == "program_sha256") cell = std::string("0");
  stopped.write_environment(environment);
  RunSummary summary = stopped.summary();
  summary.id = "00000000";
  stopped.write_summary(summary);
  EXPECT_NE(refusal(stopped).find("another build of the program"), std::string::npos);
  EXPECT_EQ(stopped.summary().status, RunStatus::interrupted);
}

// What the run began with is told where it differs.
TEST_F(Resume, OtherMachinesAreToldOf) {
  const RunFolder stopped = run(experiment({}, "stopped"), 2);
  Record environment = stopped.environment();
  for (auto& [name, cell] : environment)
    if (name == "processor") cell = std::string("another");
  stopped.write_environment(environment);
  Stopper observer(0);
  resume_run(stopped.path(), data_, observer);
  ASSERT_EQ(observer.warnings.size(), 1u);
  EXPECT_NE(observer.warnings[0].find("began with processor another, now it is"), std::string::npos);
}

}  // namespace
}  // namespace actlab
