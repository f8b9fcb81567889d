// Jobs: what is checked before they begin, what they leave behind, and what observers are told.
#include "experiments/runner/job.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experiments/config/config.h"
#include "experiments/results/run_folder.h"
#include "framework/train/checkpoint.h"
#include "kernels/error.h"
#include "tests/datasets/png_bytes.h"
#include "tests/support/temporary_folder.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

// Two updates on small generated images, into the folder's "runs".
class Job : public testing::Test {
 protected:
  Experiment experiment(std::vector<std::string> arguments = {}) {
    const fs::path file =
        folder_.write("tiny.toml",
                      "[model]\nwidths = [4, 4]\nactivation = \"gelu\"\n"
                      "[data]\nname = \"synthetic\"\ntrain = 24\ntest = 10\nsize = 8\nbatch = 16\n");
    arguments.push_back("run.root=" + (folder_.path() / "runs").string());
    return load_experiment(file, arguments, known_schemas()).at(0);
  }
  std::string refusal(const std::vector<std::string>& arguments) {
    try {
      check_job(experiment(arguments), data_);
    } catch (const ConfigError& e) {
      return e.what();
    }
    return "no error";
  }

  TemporaryFolder folder_;
  DataSets data_;
};

struct Diary : JobObserver {
  void on_start(const JobStart&) override { text += "start "; }
  void on_resume(std::int64_t step) override { text += concat("resume ", step, " "); }
  void on_skip(const Experiment&, const fs::path&, RunStatus status) override {
    text += concat("skip ", name_of(status));
  }
  void on_step(std::int64_t step, std::int64_t total, double, std::int64_t) override {
    text += concat(step, "/", total, " ");
  }
  void on_evaluation(const Evaluation&, std::int64_t) override { text += "evaluation "; }
  void on_finish(const RunSummary& summary) override { text += name_of(summary.status); }
  std::string text;
};

TEST_F(Job, TrainsOnceUnlessForced) {
  const auto diary_of = [&](Rerun rerun) {
    Diary diary;
    return std::pair{run_job(experiment(), data_, diary, rerun), diary.text};
  };
  const auto [first, told] = diary_of(Rerun::missing);
  EXPECT_EQ(told, "start 1/2 2/2 evaluation done");
  const auto [again, told_again] = diary_of(Rerun::failed);
  EXPECT_EQ(again, first);
  EXPECT_EQ(told_again, "skip done");
  const auto [forced, told_forced] = diary_of(Rerun::all);
  EXPECT_NE(forced, first);
  EXPECT_EQ(told_forced, told);
}

// The settings are the same, the images in the folder are not.
TEST_F(Job, OtherImagesAreAnotherJob) {
  const auto write_images = [&](char value) {
    for (const std::string place : {"set/train/a/", "set/train/b/", "set/test/a/", "set/test/b/"}) {
      fs::create_directories(folder_.path() / place);
      folder_.write(place + "1.png", png_bytes(4, 4, 8, 2, std::string(48, value)));
    }
  };
  const fs::path file =
      folder_.write("folder.toml", "[model]\nwidths = [4, 4]\n[data]\nname = \"image_folder\"\nbatch = 2\n");
  const Experiment folder_experiment = load_experiment(file,
                                                       {"data.root=" + (folder_.path() / "set").string(),
                                                        "run.root=" + (folder_.path() / "runs").string()},
                                                       known_schemas())
                                           .at(0);
  const auto run = [&] {
    JobObserver silent;
    DataSets data;
    return run_job(folder_experiment, data, silent);
  };
  write_images('a');
  const fs::path first = run();
  EXPECT_EQ(run(), first);
  write_images('b');
  const fs::path second = run();
  EXPECT_NE(second, first);
  EXPECT_NE(RunFolder(second).summary().data, RunFolder(first).summary().data);
}

TEST_F(Job, SummaryHoldsWhatWasMeasured) {
  JobObserver silent;
  const RunFolder run(run_job(experiment({"train.target=0.01", "train.eval_every=1"}), data_, silent));
  const RunSummary summary = run.summary();
  EXPECT_EQ(summary.status, RunStatus::done);
  EXPECT_EQ(summary.steps, 2);
  EXPECT_EQ(summary.epochs, 1);
  EXPECT_EQ(summary.parameters, (3 * 9 + 1) * 4 + (4 * 9 + 1) * 4 + 4 * 2 * 2 * 10 + 10);
  EXPECT_EQ(run.metrics().size(), 2u);
  // Two activations keep 16 images of 8 x 8 and of 4 x 4, four channels of four bytes.
  EXPECT_EQ(summary.activation_bytes, 16 * (64 + 16) * 4 * 4);
  // The pooled images and the places of the maxima beside them.
  EXPECT_EQ(summary.saved_bytes_by_layer.at("act_pool1"), 16 * 64 * 4 * 4 + 16 * 16 * 4);
  EXPECT_EQ(summary.metric, Metric::accuracy);
  EXPECT_GE(summary.loss, summary.best_loss);
  EXPECT_EQ(summary.images_per_second, 16 / summary.step_seconds);
  EXPECT_TRUE(std::isnan(summary.tokens_per_second));
  EXPECT_FALSE(summary.finished.empty());
  EXPECT_EQ(summary.peak_bytes_by_kind.at("parameters"), summary.parameters * 4);
}

// Training has fewer windows than evaluation would cut from the same tokens.
TEST_F(Job, ABatchOfMoreWindowsThanTrainingHasIsRefused) {
  const fs::path file = folder_.write("text.toml",
                                      "[model]\nname = \"bert_ffn\"\nd = 4\n[data]\nname = "
                                      "\"text\"\nsentences = 50\nwindow = 16\nbatch = 1\n");
  const auto of_batch = [&](std::int64_t batch) {
    return load_experiment(file, {concat("data.batch=", batch)}, known_schemas()).at(0);
  };
  const std::int64_t windows = data_.of(of_batch(1)).count(SplitName::train);
  EXPECT_NO_THROW(check_job(of_batch(windows), data_));
  EXPECT_THROW(check_job(of_batch(windows + 1), data_), ConfigError);
}

// Half the batch at a time: half the bytes kept for backward, as many images and steps.
TEST_F(Job, AccumulationIsSeenInTheBytesOnly) {
  JobObserver silent;
  const auto summary = [&](const std::string& accumulate) {
    return RunFolder(run_job(experiment({"train.accumulate=" + accumulate}), data_, silent)).summary();
  };
  const RunSummary whole = summary("1"), halves = summary("2");
  EXPECT_EQ(halves.status, RunStatus::done) << halves.message;
  EXPECT_EQ(halves.steps, whole.steps);
  EXPECT_NEAR(halves.train_loss, whole.train_loss, 1e-4);
  EXPECT_EQ(halves.images_per_second, 16 / halves.step_seconds);
  EXPECT_EQ(2 * halves.activation_bytes, whole.activation_bytes);
  EXPECT_EQ(halves.peak_bytes_by_kind.at("gradients"), whole.peak_bytes_by_kind.at("gradients"));
  EXPECT_LT(halves.peak_bytes_by_kind.at("activations"), whole.peak_bytes_by_kind.at("activations"));
}

TEST_F(Job, DivergenceIsWrittenDown) {
  Diary diary;
  const RunFolder run(run_job(experiment({"optimizer.lr=1e30", "train.epochs=5"}), data_, diary));
  const RunSummary summary = run.summary();
  EXPECT_EQ(summary.status, RunStatus::diverged);
  EXPECT_NE(summary.message.find("not finite after step"), std::string::npos) << summary.message;
  EXPECT_GT(summary.activation_bytes, 0);
  EXPECT_TRUE(diary.text.ends_with("diverged"));
  // It would diverge again: it stays, unless that is asked for.
  const auto again = [&](Rerun rerun) {
    diary.text.clear();
    return run_job(experiment({"optimizer.lr=1e30", "train.epochs=5"}), data_, diary, rerun);
  };
  EXPECT_EQ(again(Rerun::missing), run.path());
  EXPECT_EQ(diary.text, "skip diverged");
  EXPECT_EQ(again(Rerun::failed), run.path());
  EXPECT_TRUE(diary.text.starts_with("start 1/"));
  EXPECT_NE(again(Rerun::all), run.path());
}

// Saving fails where the checkpoints' folder is a file.
TEST_F(Job, FailureOnTheWayIsWrittenDown) {
  struct Blocker : JobObserver {
    void on_start(const JobStart& start) override {
      std::ofstream(RunFolder(start.folder).checkpoints()) << "in the way";
    }
  } blocker;
  const RunSummary summary = RunFolder(run_job(experiment(), data_, blocker)).summary();
  EXPECT_EQ(summary.status, RunStatus::failed);
  EXPECT_NE(summary.message.find("checkpoints/step-2.tmp: Not a directory"), std::string::npos)
      << summary.message;
}

TEST_F(Job, ChecksComeBeforeAnyFolder) {
  EXPECT_EQ(refusal({}), "no error");
  EXPECT_NE(refusal({"data.batch=25"}).find("data.batch = 25: wanted 1 to 24"), std::string::npos);
  EXPECT_NE(refusal({"train.accumulate=3"}).find("train.accumulate = 3"), std::string::npos);
  EXPECT_NE(refusal({"schedule.name=step"}).find("schedule.every"), std::string::npos);
  EXPECT_NE(refusal({"data.validation=0.1"}).find("data.validation = 0.1: synthetic"), std::string::npos);
  EXPECT_NE(refusal({"data.validation=0.5"}).find("data.batch = 16: wanted 1 to 14"), std::string::npos);
  EXPECT_NE(refusal({"activation=geglu"}).find("gated"), std::string::npos);
  EXPECT_NE(refusal({"model.widths=[4]"}).find("model.widths"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_.path() / "runs"));
}

TEST_F(Job, DataSetsAreOpenedOnce) {
  const Dataset& first = data_.of(experiment());
  EXPECT_EQ(&data_.of(experiment({"activation=relu", "data.batch=8"})), &first);
  EXPECT_NE(&data_.of(experiment({"data.train=32"})), &first);

  const Dataset& split = data_.of(experiment({"data.validation=0.5"}));
  EXPECT_NE(&split, &first);
  EXPECT_EQ(split.count(SplitName::validation) + split.count(SplitName::train), 24);
  EXPECT_EQ(&data_.of(experiment({"data.validation=0.5", "seed=7", "activation=relu"})), &split);
}

}  // namespace
}  // namespace actlab
