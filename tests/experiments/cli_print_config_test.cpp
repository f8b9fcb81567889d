// actlab run --print-config, and the page of all keys.
#include <nlohmann/json.hpp>

#include "experiments/config/config.h"
#include "experiments/runner/build.h"
#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const fs::path configs = ACTLAB_SOURCE_DIR "/experiments/configs";

std::string experiments_of(const fs::path& file, const std::vector<std::string>& arguments = {}) {
  std::string text;
  for (const Experiment& experiment : load_experiment(file, arguments, known_schemas()))
    text += to_toml(experiment) + "\n---\n";
  return text;
}

TEST(CliPrintConfig, IsAnExperimentFileThatMeansTheSame) {
  const ActlabProgram actlab;
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(configs)) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{}, {"sweep.optimizer.name=sgd,adamw", "seed=3", "name=a \"b\" #c"}}) {
      std::string line = "run '" + entry.path().string() + "' --print-config";
      for (const std::string& argument : arguments) line += " '" + argument + "'";
      const Outcome outcome = actlab.run(line);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      EXPECT_EQ(outcome.err, "");
      EXPECT_EQ(experiments_of(actlab.write("printed.toml", outcome.out)),
                experiments_of(entry.path(), arguments))
          << outcome.out;
    }
  }
  EXPECT_GE(files, 5u);
  EXPECT_FALSE(fs::exists(actlab.folder() / "runs")) << "nothing is trained";
}

TEST(CliPrintConfig, SaysWhatGaveEachValue) {
  const ActlabProgram actlab;
  actlab.write("e.toml", "base = \"low.toml\"\ndevice = \"auto\"\n[optimizer]\nlr = 0.5\n");
  actlab.write("low.toml", "[sweep]\nactivation = [\"relu\", \"gelu\"]\n");
  const std::string toml = actlab.run("run e.toml data.batch=8 --print-config").out;
  for (const char* line :
       {"\ndevice = \"auto\"                 # e.toml:2\n", "\nlr = 0.5                        # e.toml:4\n",
        "\nbatch = 8                       # argument 'data.batch=8'\n",
        "\nepochs = 1                      # default\n", "\n[sweep]  # 2 experiments\n",
        "\nmodel.activation = [\"relu\", \"gelu\"]  # low.toml:2\n"})
    EXPECT_NE(toml.find(line), std::string::npos) << line << "in\n" << toml;

  const json rows = json::parse(actlab.run("run e.toml data.batch=8 --print-config --format json").out);
  const auto row = [&](const std::string& key) {
    for (const json& r : rows)
      if (r["key"] == key) return r;
    return json();
  };
  EXPECT_EQ(row("optimizer.lr"), json({{"key", "optimizer.lr"}, {"value", 0.5}, {"origin", "e.toml:4"}}));
  EXPECT_EQ(row("model.activation")["value"], "[\"relu\", \"gelu\"]");
  EXPECT_EQ(row("data.augment")["value"], false);
  EXPECT_TRUE(actlab.run("run e.toml --print-config --format csv").out.starts_with("key,value,origin\n"));
}

TEST(CliPrintConfig, Refusals) {
  const ActlabProgram actlab;
  actlab.write("e.toml", "lr = 0.1\n");
  expect_refusal(actlab.run("run e.toml --print-config"), 2, {"e.toml:1: unknown key 'lr': optimizer.lr is"});
  expect_refusal(actlab.run("run none.toml --print-config"), 2, {"none.toml", "No such file"});
  expect_refusal(actlab.run("run e.toml --print-config --trace t"), 2, {"--print-config", "--trace"});
}

TEST(CliPrintConfig, TheFirstFileOfAChainIsRun) {
  const ActlabProgram actlab;
  fs::copy_file(configs / "synthetic_smoke.toml", actlab.folder() / "smoke.toml");
  actlab.write("mine.toml", "base = \"smoke.toml\"\nseed = 5\nactivation = \"silu\"\n[train]\nsteps = 1\n");
  const Outcome outcome = actlab.run("run mine.toml --format json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(json::parse(outcome.out).size(), 1u);
  const fs::path run = fs::directory_iterator(actlab.folder() / "runs" / "mine")->path();
  EXPECT_EQ(read_file(run / "config.toml"),
            to_toml(load_experiment(actlab.folder() / "mine.toml", {}, known_schemas())[0]));
}

// Stale where a key was added, or its help changed.
TEST(CliKeyPage, IsWhatTheProgramPrints) {
  const std::string page = read_file(configs / "README.md");
  const auto marker = page.find("<!-- The rest is printed by");
  ASSERT_NE(marker, std::string::npos);
  EXPECT_EQ(page.substr(page.find('\n', marker) + 2), ActlabProgram().run("list keys --format md").out)
      << "experiments/configs/README.md is stale: run experiments/configs/update_readme.sh";
}

TEST(CliKeyPage, ShowsFilesAndMessagesAsTheyAre) {
  const std::string page = read_file(configs / "README.md");
  const ActlabProgram actlab;
  fs::copy_file(configs / "quickstart.toml", actlab.folder() / "quickstart.toml");
  std::vector<std::size_t> jobs;
  const std::string fence = "```toml\n";
  for (auto at = page.find(fence); at != std::string::npos; at = page.find(fence, at + 1)) {
    const auto begin = at + fence.size();
    const fs::path file = actlab.write("example.toml", page.substr(begin, page.find("```", begin) - begin));
    jobs.push_back(load_experiment(file, {}, known_schemas()).size());
  }
  EXPECT_EQ(jobs, (std::vector<std::size_t>{15, 12, 20}));

  for (const char* text : {"\noptimizer.momentum = 1.5\n", "\n\noptimizer.momentun = 1\n", "lr = 1\n",
                           "\noptimizer.beta1 = 0.9\n"}) {
    actlab.write("my.toml", text);
    const std::string message = actlab.run("run my.toml").err;
    EXPECT_NE(page.find(message), std::string::npos) << message;
  }
}

TEST(CliKeyPage, ListsTheOptionsOfComponents) {
  const ActlabProgram actlab;
  const json rows = json::parse(actlab.run("list keys --format json").out);
  const auto has = [&](const std::string& name, const json& of, const std::string& wanted,
                       const std::string& fallback) {
    for (const json& row : rows)
      if (row["name"] == name && row["of"] == of && row["wanted"] == wanted && row["default"] == fallback)
        return true;
    return false;
  };
  EXPECT_TRUE(has("train.epochs", nullptr, "integer in [1, 1e+09]", "1"));
  EXPECT_TRUE(has("optimizer.momentum", "sgd", "number in [0, 1]", "0.9"));
  EXPECT_TRUE(has("optimizer.lr", "adamw", "number >= 0", "0.001"));
  EXPECT_TRUE(has("model.widths", "small_cnn", "list of integers", "[32, 64]"));
  EXPECT_TRUE(has("activation.leaky_relu.slope", nullptr, "number in [-1e+06, 1e+06]", "0.01"));
  EXPECT_TRUE(has("base", nullptr, "text", "\"\""));
  EXPECT_NE(actlab.run("list keys").out.find("optimizer.momentum (sgd) "), std::string::npos);
}

}  // namespace
}  // namespace actlab
