// actlab claims: its three tables, what it refuses, and its examples.
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

using nlohmann::json;

json json_of(const ActlabProgram& actlab, const std::string& arguments) {
  const Outcome outcome = actlab.run(arguments + " --format json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return json::parse(outcome.out, nullptr, false);
}

TEST(CliClaims, HoldsEachClaimAgainstWhatIsFound) {
  const ActlabProgram actlab;
  const json rows = json_of(actlab, "claims");
  std::set<std::string> claims;
  for (const json& row : rows) {
    claims.insert(row["claim"]);
    EXPECT_TRUE((std::set<std::string>{"true", "false", "depends", "no source"}.contains(row["verdict"])))
        << row.dump();
    EXPECT_EQ(row["here"].is_number(), row["how"] == "computed") << row.dump();
  }
  EXPECT_GE(claims.size(), 9u);
  EXPECT_NEAR(rows[1]["here"].get<double>(), 4.7323552e-4, 1e-10);
  EXPECT_EQ(actlab.run("claims").out, actlab.run("claims claims").out);
}

TEST(CliClaims, GatesFollowTheirSeed) {
  const ActlabProgram actlab;
  const std::string gates = "claims gates --samples 20000 --seed ";
  for (const json& row : json_of(actlab, gates + "5")) {
    if (row["standard_error"] == 0) continue;
    EXPECT_LT(std::fabs(row["standard_errors_off"].get<double>()), 5) << row.dump();
  }
  EXPECT_EQ(actlab.run(gates + "5 --format csv").out, actlab.run(gates + "5 --format csv").out);
  EXPECT_NE(actlab.run(gates + "5 --format csv").out, actlab.run(gates + "6 --format csv").out);
}

TEST(CliClaims, SeriesStandBesideGelu) {
  const ActlabProgram actlab;
  for (const json& row : json_of(actlab, "claims series")) {
    const double value = row["value"], gelu = row["gelu"];
    EXPECT_EQ(row["error"], value - gelu);
    EXPECT_LT(std::fabs(row["relative_error"].get<double>()), 0.5) << row.dump();
  }
}

TEST(CliClaims, Refusals) {
  const ActlabProgram actlab;
  expect_refusal(actlab.run("claims gate"), 2, {"no table is called 'gate'", "nearest: gates"});
  expect_refusal(actlab.run("claims gates --samples 1"), 2, {"--samples"});
  expect_refusal(actlab.run("claims gates --samples many"), 2, {"--samples"});
  expect_refusal(actlab.run("claims gates --seed -1"), 2, {"--seed"});
  expect_refusal(actlab.run("claims gates --measure"), 2, {"claims gates", "--measure"});
  expect_refusal(actlab.run("claims series --seed 1"), 2, {"--seed", "claims gates", "'series'"});
  expect_refusal(actlab.run("claims --samples 100"), 2, {"--samples", "claims gates"});
  expect_refusal(actlab.run("claims --format jsn"), 2, {"jsn", "jsonl"});
  expect_refusal(actlab.run("claims gates series"), 2, {"series"});
}

// The speeds are timed once, by the example that does.
TEST(CliClaims, ExamplesWorkWhenPasted) {
  const ActlabProgram actlab;
  std::istringstream lines(actlab.run("claims --help").out);
  std::vector<std::string> outputs;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  actlab ")) continue;
    const Outcome outcome = actlab.run(line.substr(9));
    EXPECT_EQ(outcome.code, 0) << line << '\n' << outcome.err;
    outputs.push_back(outcome.out);
  }
  ASSERT_EQ(outputs.size(), 2u);
  std::istringstream table(outputs[0]);
  int measured = 0;
  for (std::string row; std::getline(table, row);) measured += row.find("| measured |") != row.npos ? 1 : 0;
  EXPECT_EQ(measured, 5) << outputs[0];
  EXPECT_TRUE(outputs[1].starts_with("gate  ")) << outputs[1];
}

}  // namespace
}  // namespace actlab
