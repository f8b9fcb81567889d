// Where the decimal mark is a comma, numbers are read and written as everywhere.
#include <cstdio>
#include <memory>

#include "experiments/config/config.h"
#include "experiments/results/table.h"
#include "experiments/runner/job.h"
#include "tests/support/actlab_program.h"
#include "tests/support/comma_locale.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

const std::string tiny =
    "[model]\nwidths = [4, 4]\nactivation = \"elu(alpha=0.5)\"\n"
    "[data]\nname = \"synthetic\"\ntrain = 64\ntest = 40\nsize = 8\nbatch = 32\n"
    "[train]\ntarget = 0.5\n[optimizer]\nlr = 0.001\nweight_decay = 5e-4\n";

class CliLocale : public testing::Test {
 protected:
  static void SetUpTestSuite() { comma = std::make_unique<CommaLocale>(); }
  static void TearDownTestSuite() { comma.reset(); }
  void SetUp() override {
    if (!comma->made()) GTEST_SKIP() << CommaLocale::absent;
  }
  static std::unique_ptr<CommaLocale> comma;
};
std::unique_ptr<CommaLocale> CliLocale::comma;

// The file of this name in the only run below a folder.
std::string text_in(const fs::path& runs, const std::string& name) {
  for (const auto& entry : fs::recursive_directory_iterator(runs))
    if (entry.path().filename() == name) return read_file(entry.path());
  ADD_FAILURE() << "no " << name << " below " << runs;
  return "";
}

TEST_F(CliLocale, HasAComma) {
  const CommaLocale::Scope scope(*comma);
  char text[8];
  std::snprintf(text, sizeof text, "%.1f", 0.5);
  ASSERT_STREQ(text, "0,5");
}

TEST_F(CliLocale, RunsOfTheProgramAreEqual) {
  const ActlabProgram actlab;
  actlab.write("tiny.toml", tiny);
  ASSERT_EQ(actlab.run("run tiny.toml train.eval_every=1 run.root=a").code, 0);
  ASSERT_EQ(actlab.run("run tiny.toml train.eval_every=1 run.root=b", comma->setup()).code, 0);
  const fs::path a = actlab.folder() / "a", b = actlab.folder() / "b";
  EXPECT_EQ(text_in(a, "metrics.jsonl"), text_in(b, "metrics.jsonl"));
  EXPECT_NE(text_in(b, "config.toml").find("\nlr = 0.001\n"), std::string::npos);
  for (const std::string format : {"table", "md", "csv", "json"}) {
    EXPECT_EQ(actlab.run("compare a --format " + format, comma->setup()).out,
              actlab.run("compare a --format " + format).out);
    EXPECT_EQ(actlab.run("probe 'elu(alpha=0.5)' --x=-0.5,1e-3 --format " + format, comma->setup()).out,
              actlab.run("probe 'elu(alpha=0.5)' --x=-0.5,1e-3 --format " + format).out);
  }
}

// A program that links actlab may have set the locale.
TEST_F(CliLocale, RunsOfAProcessInItAreEqual) {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& root) {
    const fs::path runs = folder.path() / root;
    const Experiment experiment =
        load_experiment(folder.write("tiny.toml", tiny),
                        {"optimizer.momentum=0.25", "run.root=" + runs.string()}, known_schemas())[0];
    EXPECT_EQ(experiment.optimizer.options.number("lr"), 0.001);
    EXPECT_EQ(experiment.optimizer.options.number("momentum"), 0.25);
    EXPECT_EQ(experiment.activation, "elu(alpha=0.5)");
    DataSets data;
    JobObserver silent;
    run_job(experiment, data, silent);
    return text_in(runs, "metrics.jsonl") + to_toml(experiment).substr(0, to_toml(experiment).find("[run]"));
  };
  const std::string plain = run("a");
  const Table table{{{"n"}, {"share", Unit::percent}, {"time", Unit::seconds}},
                    {{std::int64_t{1234567}, 0.5, 0.0125}}};
  const std::string csv = render(table, TableFormat::csv), text = render(table, TableFormat::table);
  const CommaLocale::Scope scope(*comma);
  EXPECT_EQ(run("b"), plain);
  EXPECT_EQ(render(table, TableFormat::csv), csv);
  EXPECT_EQ(render(table, TableFormat::table), text);
}

}  // namespace
}  // namespace actlab
