// Summaries, run folders and finding them again.
#include <sys/stat.h>

#include <cmath>
#include <thread>

#include "experiments/results/run_folder.h"
#include "framework/core/files.h"
#include "tests/experiments/experiment_files.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

RunSummary example_summary() {
  RunSummary summary;
  summary.status = RunStatus::done;
  summary.name = "mine";
  summary.activation = "elu(alpha=0.5)";
  summary.precision = "bf16";
  summary.seed = 3;
  summary.id = "0123abcd";
  summary.accuracy = 0.7231;
  summary.loss = 1.0;
  summary.metric = Metric::loss;
  summary.target = 0.65;
  summary.steps = 3910;
  summary.convergence_steps = 1173;
  summary.saved_bytes = 33000000;
  summary.peak_bytes_by_kind = {{"activations", 100}, {"parameters", 7}};
  summary.started = "2024-05-01T12:00:00Z";
  summary.message = "a \"message\"\nof two lines \xff";
  return summary;
}

Experiment example_experiment(const fs::path& root) {
  return load("[model]\nactivation = \"elu(alpha=0.5)\"\n", {"name=mine", "run.root=" + root.string()})[0];
}

std::string failure(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(RunSummary, ReadsBackWhatItWrites) {
  const auto summary = example_summary();
  const auto again = parse_summary(to_json(summary));
  EXPECT_EQ(again.status, RunStatus::done);
  EXPECT_EQ(again.activation, summary.activation);
  EXPECT_EQ(again.precision, "bf16");
  EXPECT_EQ(again.accuracy, 0.7231);
  EXPECT_EQ(again.loss, 1.0);
  EXPECT_TRUE(std::isnan(again.best_accuracy));
  EXPECT_EQ(again.convergence_steps, 1173);
  EXPECT_EQ(again.metric, Metric::loss);
  EXPECT_EQ(again.peak_bytes_by_kind, summary.peak_bytes_by_kind);
  EXPECT_EQ(again.message, "a \"message\"\nof two lines \xEF\xBF\xBD");
  EXPECT_EQ(to_json(again), to_json(parse_summary(to_json(again))));
}

TEST(RunSummary, NonFiniteNumbersAreNull) {
  auto summary = example_summary();
  summary.loss = std::numeric_limits<double>::infinity();
  summary.convergence_steps.reset();
  const auto json = to_json(summary);
  EXPECT_NE(json.find("\"loss\": null"), std::string::npos);
  EXPECT_NE(json.find("\"convergence_steps\": null"), std::string::npos);
  EXPECT_TRUE(std::isnan(parse_summary(json).loss));
}

TEST(RunSummary, DamageNamesTheField) {
  const auto json = to_json(example_summary());
  const auto with = [&](const std::string& from, const std::string& to) {
    auto text = json;
    text.replace(text.find(from), from.size(), to);
    return failure([&] { parse_summary(text); });
  };
  EXPECT_EQ(with("\"seed\": 3", "\"seed\": 3.5"), "field 'seed': wanted an integer");
  EXPECT_EQ(with("\"seed\": 3", "\"seeds\": 3"), "field 'seed': missing");
  EXPECT_EQ(with("\"done\"", "\"finished\""),
            "field 'status': wanted running, done, diverged, failed or interrupted");
  EXPECT_EQ(with("\"metric\": \"loss\"", "\"metric\": \"luck\""), "field 'metric': wanted accuracy or loss");
  EXPECT_EQ(with("0.7231", "\"0.7231\""), "field 'accuracy': wanted a number or null");
  EXPECT_EQ(with("0.7231", "[1]"), "field 'accuracy': wanted a number, text, true, false or null");
  EXPECT_EQ(failure([&] { parse_summary(json.substr(0, json.size() / 2)); }), "is damaged: no JSON");
  EXPECT_EQ(failure([&] { parse_summary("[]"); }), "is damaged: wanted a JSON object");
}

TEST(RunSummary, ImpossibleNumbersAreDamage) {
  const auto refusal_of = [](auto change) {
    auto summary = example_summary();
    change(summary);
    return failure([&] { parse_summary(to_json(summary)); });
  };
  using S = RunSummary;
  EXPECT_EQ(refusal_of([](S& s) { s.accuracy = 7; }),
            "field 'accuracy': wanted a share from 0 to 1, found 7");
  EXPECT_EQ(refusal_of([](S& s) { s.best_accuracy = -0.5; }),
            "field 'best_accuracy': wanted a share from 0 to 1, found -0.5");
  EXPECT_EQ(refusal_of([](S& s) { s.validation_accuracy = 1.5; }),
            "field 'validation_accuracy': wanted a share from 0 to 1, found 1.5");
  EXPECT_EQ(refusal_of([](S& s) { s.target = 65; }), "field 'target': wanted a share from 0 to 1, found 65");
  EXPECT_EQ(refusal_of([](S& s) { s.target_loss = -1; }),
            "field 'target_loss': wanted a number >= 0, found -1");
  EXPECT_EQ(refusal_of([](S& s) { s.steps = -3; }), "field 'steps': wanted an integer >= 0, found -3");
  EXPECT_EQ(refusal_of([](S& s) { s.convergence_steps = -1; }),
            "field 'convergence_steps': wanted an integer from 0 to steps, found -1");
  EXPECT_EQ(refusal_of([](S& s) { s.convergence_steps = 3911; }),
            "field 'convergence_steps': wanted an integer from 0 to steps, found 3911");
  EXPECT_EQ(refusal_of([](S& s) { s.step_seconds = -1; }),
            "field 'step_seconds': wanted a number >= 0, found -1");
  EXPECT_EQ(refusal_of([](S& s) { s.peak_bytes_by_kind["parameters"] = -7; }),
            "field 'peak_bytes.parameters': wanted an integer >= 0, found -7");
  EXPECT_EQ(refusal_of([](S& s) { s.selected_by = "luck"; }),
            "field 'selected_by': wanted test or validation, found luck");
  EXPECT_EQ(refusal_of([](S& s) { s.accuracy = 1, s.best_accuracy = 0, s.steps = 1173; }), "no error");
}

// Summaries of programs that knew no validation split.
TEST(RunSummary, LaterFieldsMayBeAbsent) {
  auto text = to_json(example_summary());
  for (const std::string field : {"data", "selected_by", "validation_accuracy", "metric", "best_loss",
                                  "validation_loss", "target_loss", "tokens_per_second"}) {
    const auto begin = text.find("\"" + field + "\"");
    ASSERT_NE(begin, std::string::npos);
    text.erase(begin, text.find('\n', begin) - begin);
  }
  const auto summary = parse_summary(text);
  EXPECT_EQ(summary.selected_by, "test");
  EXPECT_TRUE(std::isnan(summary.validation_accuracy));
  EXPECT_EQ(summary.metric, Metric::accuracy);
  EXPECT_EQ(summary.target_loss, 0);
  EXPECT_TRUE(std::isnan(summary.tokens_per_second));
}

TEST(RunFolder, NothingIsOverwritten) {
  const TemporaryFolder root;
  const auto experiment = example_experiment(root.path());
  std::vector<fs::path> paths(16);
  std::vector<std::thread> threads;
  for (auto& path : paths)
    threads.emplace_back([&] { path = RunFolder::create(experiment, "0123abcd").path(); });
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < paths.size(); ++i) {
    EXPECT_EQ(paths[i].parent_path(), root.path() / "mine");
    EXPECT_NE(paths[i].filename().string().find("-elu_alpha_0.5-s0-0123abcd"), std::string::npos);
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(paths[i], paths[j]);
  }
  EXPECT_EQ(to_toml(load_experiment(RunFolder(paths[0]).config(), {}, test_schemas())[0]),
            to_toml(experiment));
}

TEST(RunFolder, NamesStayInsideTheRoot) {
  const TemporaryFolder root;
  for (const std::string name : {"../up", "a/b", "..", "", ".hidden", "ü x"}) {
    auto experiment = example_experiment(root.path());
    experiment.name = name;
    const auto path = RunFolder::create(experiment, "0123abcd").path();
    EXPECT_EQ(path.parent_path().parent_path(), root.path()) << name;
    EXPECT_EQ(fs::weakly_canonical(path).parent_path().parent_path(), fs::weakly_canonical(root.path()))
        << name;
  }
}

TEST(RunFolder, MetricsAppendRewindAndSurviveATornLine) {
  const TemporaryFolder root;
  const auto folder = RunFolder::create(example_experiment(root.path()), "0123abcd");
  EXPECT_TRUE(folder.metrics().empty());
  for (std::int64_t step : {1, 2, 3}) folder.append_metrics({{"step", step}, {"loss", 0.5 / 0.25}});
  folder.append_metrics({{"step", std::int64_t{4}}, {"loss", std::nan("")}});
  std::ofstream(folder.path() / "metrics.jsonl", std::ios::app) << "{\"step\":5,\"lo";
  ASSERT_EQ(folder.metrics().size(), 4u);
  EXPECT_EQ(folder.metrics()[3][1].second, Cell());
  folder.rewind_metrics(2);
  folder.append_metrics({{"step", std::int64_t{3}}});
  ASSERT_EQ(folder.metrics().size(), 3u);
  EXPECT_EQ(folder.metrics()[1][1].second, Cell(2.0));
  EXPECT_EQ(folder.metrics()[2][0].second, Cell(std::int64_t{3}));
}

TEST(RunFolder, KeepsTheFilesOfItsData) {
  const TemporaryFolder root;
  const auto folder = RunFolder::create(example_experiment(root.path()), "0123abcd");
  folder.write("vocabulary.txt", "a\n\xC3\xA9\n");
  EXPECT_EQ(read_file(folder.path() / "vocabulary.txt"), "a\n\xC3\xA9\n");
}

TEST(RunFolder, SaysWhatCannotBeWritten) {
  const TemporaryFolder root;
  const auto blocked = root.write("file", "");
  const auto message = failure([&] { RunFolder::create(example_experiment(blocked), "0123abcd"); });
  EXPECT_EQ(message,
            (blocked / "mine").string() +
                ": cannot create the folder: Not a directory; choose another folder with run.root=FOLDER");
  EXPECT_NE(failure([&] { RunFolder(root.path() / "gone").append_metrics({}); }).find("No such file"),
            std::string::npos);
  EXPECT_EQ(failure([&] { RunFolder(root.path()).summary(); }),
            "cannot read " + (root.path() / "summary.json").string() + ": No such file or directory");
}

TEST(RunFolder, SaysWhenTheDiskIsFull) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const TemporaryFolder root;
  fs::create_symlink("/dev/full", root.path() / "metrics.jsonl");
  const auto message = failure([&] { RunFolder(root.path()).append_metrics({{"step", std::int64_t{1}}}); });
  EXPECT_NE(message.find("metrics.jsonl: No space left on device; free some space"), std::string::npos)
      << message;
}

TEST(FindRuns, AnyDepthWithoutTheTornOnes) {
  const TemporaryFolder root;
  const auto experiment = example_experiment(root.path() / "deep" / "er");
  auto summary = example_summary();
  const auto good = RunFolder::create(experiment, "0123abcd");
  good.write_summary(summary);
  fs::create_directories(good.checkpoints() / "step-1");
  const auto torn = RunFolder::create(experiment, "0123abcd");
  std::ofstream(torn.path() / "summary.json") << "{\"status\": \"do";
  const auto killed = RunFolder::create(experiment, "0123abcd");
  killed.append_metrics({{"step", std::int64_t{1}}});

  const auto found = find_runs({root.path(), good.path()});
  ASSERT_EQ(found.runs.size(), 1u);
  EXPECT_EQ(found.runs[0].folder, fs::weakly_canonical(good.path()));
  EXPECT_EQ(found.runs[0].summary.seed, 3);
  EXPECT_EQ(found.runs[0].config.at("optimizer.lr"), "0.05");
  ASSERT_EQ(found.messages.size(), 2u);
  EXPECT_NE(found.messages[0].find("summary.json: is damaged"), std::string::npos);
  EXPECT_NE(found.messages[1].find("summary.json: No such file"), std::string::npos);
  EXPECT_THROW(find_runs({root.path() / "none"}), ConfigError);
}

TEST(FindRuns, RunsOfAJobNewestFirst) {
  const TemporaryFolder root;
  const auto experiment = example_experiment(root.path());
  EXPECT_TRUE(runs_of_job(root.path() / "none", "0123abcd").empty());
  auto summary = example_summary();
  summary.id = "0123abcd";
  const auto newest = RunFolder::create(experiment, "0123abcd");
  newest.write_summary(summary);
  summary.started = "2023-05-01T12:00:00Z";
  RunFolder::create(experiment, "0123abcd").write_summary(summary);
  fs::create_directory(root.path() / "torn-0123abcd");
  root.write("torn-0123abcd/summary.json", "{");
  const auto runs = runs_of_job(root.path(), "0123abcd");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].folder, newest.path());
  EXPECT_TRUE(runs_of_job(root.path(), "0123abce").empty());
}

// A process that trains holds the lock of its run: without it the run is one that was killed.
TEST(FindRuns, ARunThatNobodyRunsIsInterrupted) {
  const TemporaryFolder root;
  const auto folder = RunFolder::create(example_experiment(root.path()), "0123abcd");
  auto summary = example_summary();
  summary.status = RunStatus::running;
  folder.write_summary(summary);
  {
    const auto lock = RunLock::take(folder.path());
    ASSERT_TRUE(lock);
    EXPECT_FALSE(RunLock::take(folder.path()));
    EXPECT_EQ(find_runs({root.path()}).runs.at(0).summary.status, RunStatus::running);
  }
  EXPECT_EQ(find_runs({root.path()}).runs.at(0).summary.status, RunStatus::interrupted);
}

TEST(FindRuns, LatestLeadsToTheNewestRunAndIsNoOtherRun) {
  const TemporaryFolder root;
  const auto experiment = example_experiment(root.path());
  fs::path newest;
  for (const char* id : {"0123abcd", "0123abce"}) {
    const auto folder = RunFolder::create(experiment, id);
    folder.write_summary(example_summary());
    newest = folder.path();
  }
  const fs::path latest = newest.parent_path() / "latest";
  EXPECT_EQ(fs::read_symlink(latest), newest.filename());
  EXPECT_EQ(find_runs({root.path()}).runs.size(), 2u);
  EXPECT_EQ(find_runs({latest}).runs.at(0).folder, fs::weakly_canonical(newest));
}

TEST(RunFolder, LeftoversOfAKilledProcessGo) {
  const TemporaryFolder root;
  const auto folder = RunFolder::create(example_experiment(root.path()), "0123abcd");
  fs::create_directories(folder.checkpoints() / "step-3.tmp");
  fs::create_directories(folder.checkpoints() / "step-2");
  folder.write("summary.json.77.0.tmp", "{");
  folder.clear_leftovers();
  EXPECT_FALSE(fs::exists(folder.checkpoints() / "step-3.tmp"));
  EXPECT_TRUE(fs::exists(folder.checkpoints() / "step-2"));
  EXPECT_FALSE(fs::exists(folder.path() / "summary.json.77.0.tmp"));
}

}  // namespace
}  // namespace actlab
