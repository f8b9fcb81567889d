// The program trains learned activations: from the sweep to the trained values in the table.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "tests/support/actlab_program.h"
#include "tests/support/run_folders.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string small =
    "run '" ACTLAB_SOURCE_DIR
    "/experiments/configs/synthetic_smoke.toml' data.train=64 data.test=40 data.size=8 data.batch=32 "
    "model.widths=[4,4] train.epochs=2 sweep.seed= ";

json parsed(const std::string& text) { return json::parse(text, nullptr, false); }

// The folder of the only run whose summary has this activation.
fs::path run_of(const fs::path& runs, const std::string& activation) {
  fs::path found;
  for (const fs::path& run : run_folders_in(runs))
    if (parsed(read_file(run / "summary.json"))["activation"] == activation) found = run;
  EXPECT_FALSE(found.empty()) << activation;
  return found;
}

TEST(CliLearned, TrainedValuesAreLoggedAndCompared) {
  const ActlabProgram actlab;
  const std::string names[] = {"swish(beta=1)", "swish(beta=1, learned=layer)",
                               "gelu_scaled(sigma=1, learned=channel)"};
  const Outcome outcome = actlab.run(
      small + "'sweep.activation=swish, swish(learned=layer), gelu_scaled(learned=channel)' --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json table = parsed(outcome.out);
  ASSERT_EQ(table.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(table[i]["activation"], names[i]);
  EXPECT_TRUE(table[0]["learned"].is_null());
  EXPECT_EQ(table[1]["learned"].get<std::string>().substr(0, 5), "beta ");
  EXPECT_EQ(table[2]["learned"].get<std::string>().substr(0, 6), "sigma ");
  EXPECT_EQ(table[1]["parameters"], table[0]["parameters"].get<int>() + 2);
  EXPECT_EQ(table[2]["parameters"], table[0]["parameters"].get<int>() + 8);

  const fs::path runs = actlab.folder() / "runs" / "synthetic_smoke";
  const std::map<std::string, std::vector<std::string>> keys = {
      {names[0], {}},
      {names[1], {"learned.act1.beta", "learned.act2.beta"}},
      {names[2],
       {"learned.act1.sigma.max", "learned.act1.sigma.mean", "learned.act1.sigma.min",
        "learned.act2.sigma.max", "learned.act2.sigma.mean", "learned.act2.sigma.min"}}};
  for (const auto& [name, wanted] : keys) {
    const fs::path run = run_of(runs, name);
    const json summary = parsed(read_file(run / "summary.json"));
    std::vector<std::string> found;
    for (const auto& [key, value] : summary.items())
      if (key.starts_with("learned.")) found.push_back(key);
    EXPECT_EQ(found, wanted);
    std::istringstream metrics(read_file(run / "metrics.jsonl"));
    std::vector<json> lines;
    for (std::string line; std::getline(metrics, line);) lines.push_back(parsed(line));
    ASSERT_EQ(lines.size(), 2u);
    for (const std::string& key : wanted) {
      EXPECT_NE(lines[0].at(key), lines[1].at(key)) << key;
      EXPECT_EQ(lines[1].at(key), summary.at(key)) << key;
    }
    const Outcome evaluated = actlab.run("evaluate '" + run.string() + "' --format json");
    ASSERT_EQ(evaluated.code, 0) << evaluated.err;
    EXPECT_EQ(parsed(evaluated.out)["loss"], summary["loss"]) << name;
  }
}

TEST(CliLearned, OnlyLearnableParametersAre) {
  const ActlabProgram actlab;
  const Outcome plain = actlab.run(small + "sweep.activation=gelu --format json");
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_FALSE(parsed(plain.out)[0].contains("learned"));
  for (const char* wrong : {"gelu(learned=layer)", "swiglu(learned=layer)", "swish(learned=row)"}) {
    const Outcome outcome = actlab.run(small + "'sweep.activation=" + wrong + "'");
    EXPECT_EQ(outcome.code, 2) << wrong;
    EXPECT_NE(outcome.err.find("learned"), std::string::npos) << outcome.err;
  }
}

}  // namespace
}  // namespace actlab
