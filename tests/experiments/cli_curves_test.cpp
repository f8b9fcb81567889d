// actlab curves: tables, charts and refusals.
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/actlab_program.h"
#include "tests/support/well_formed.h"

namespace actlab {
namespace {

using nlohmann::json;

json json_of(const ActlabProgram& actlab, const std::string& arguments) {
  const Outcome outcome = actlab.run("curves " + arguments + " --format json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out, nullptr, false);
}

TEST(CliCurves, ValuesAsCsvAndSvg) {
  const ActlabProgram actlab;
  const std::string arguments =
      "curves values relu 'elu(alpha=0.5)' --what df,f --from -1 --to 1 --points 3 ";
  const Outcome outcome = actlab.run(arguments + "--svg out.svg --title 'a < b' --format csv");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(
      outcome.out.starts_with("x,relu.df,relu.f,elu(alpha=0.5).df,elu(alpha=0.5).f\n-1,0,0,0.1839397"))
      << outcome.out;
  EXPECT_TRUE(outcome.out.ends_with("\n1,1,1,1,1\n")) << outcome.out;
  const std::string svg = read_file(actlab.folder() / "out.svg");
  EXPECT_EQ(markup_fault(svg), "");
  EXPECT_EQ(count_of(svg, "class=\"line "), 8u);  // four lines, four names
  EXPECT_NE(svg.find("a &lt; b"), svg.npos);
  EXPECT_EQ(actlab.run(arguments + "--svg again.svg --title 'a < b'").code, 0);
  EXPECT_EQ(read_file(actlab.folder() / "again.svg"), svg);
}

TEST(CliCurves, ChartShowsTheRangeThatIsAskedFor) {
  const ActlabProgram actlab;
  ASSERT_EQ(actlab.run("curves values gelu --what f --from -2 --to 2 --y=-1,40 --svg out.svg").code, 0);
  const std::string svg = read_file(actlab.folder() / "out.svg");
  EXPECT_NE(svg.find(">40</text>"), svg.npos);
  EXPECT_NE(svg.find(">\u22122</text>"), svg.npos);
}

TEST(CliCurves, ErrorsOfTheFormsOfGelu) {
  const ActlabProgram actlab;
  const json rows = json_of(actlab, "errors --svg errors.svg");
  bool found = false;
  for (const json& row : rows) {
    EXPECT_EQ(row["exact"], "gelu");
    if (row["activation"] != "gelu_tanh") continue;
    found = true;
    EXPECT_NEAR(row["max_error"], 4.7323552e-4, 5e-12);
    EXPECT_NEAR(row["max_at"], 2.698941, 5e-7);
    EXPECT_NEAR(row["df_max_error"], 8.6845e-4, 5e-9);
    EXPECT_NEAR(row["rms"], 1.29e-4, 5e-7);
  }
  EXPECT_TRUE(found);
  EXPECT_EQ(markup_fault(read_file(actlab.folder() / "errors.svg")), "");
}

TEST(CliCurves, MomentsOfEveryActivationAgree) {
  const ActlabProgram actlab;
  const json rows = json_of(actlab, "moments --samples 100000 --seed 1");
  EXPECT_GT(rows.size(), 15u);
  for (const json& row : rows) {
    EXPECT_LT(std::fabs(row["mean_z"].get<double>()), 4) << row;
    EXPECT_LT(std::fabs(row["variance_z"].get<double>()), 4) << row;
  }
  const json gelu = json_of(actlab, "moments gelu --samples 1000 --seed 7")[0];
  EXPECT_NEAR(gelu["exact_mean"], 0.28209479177387814, 1e-12);
  EXPECT_NEAR(gelu["gain"], 1.53353, 5e-6);
  EXPECT_EQ(gelu, json_of(actlab, "moments gelu --samples 1000 --seed 7")[0]);
}

TEST(CliCurves, HistogramHoldsAllOfTheSample) {
  const ActlabProgram actlab;
  const json rows =
      json_of(actlab, "histogram relu silu --bins 4 --from -0.5 --to 1.5 --samples 20000 --svg out.svg");
  ASSERT_EQ(rows.size(), 12u);
  EXPECT_EQ(rows[0]["from"], "-inf");
  EXPECT_EQ(rows[5]["to"], "inf");
  double share = 0, exact = 0;
  for (std::size_t i = 0; i < 6; ++i)
    share += rows[i]["share"].get<double>(), exact += rows[i]["exact_share"].get<double>();
  EXPECT_NEAR(share, 1, 1e-12);
  EXPECT_NEAR(exact, 1, 1e-12);
  EXPECT_NEAR(rows[2]["share"], 0.691, 0.02);
  EXPECT_EQ(count_of(read_file(actlab.folder() / "out.svg"), "class=\"line "), 8u);
}

TEST(CliCurves, ObservedParametersAreNamed) {
  const ActlabProgram actlab;
  const Outcome outcome = actlab.run("curves values gelu_int8 --points 2 --format csv");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_NE(outcome.err.find("taken as gelu_int8(range=8)"), std::string::npos) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("x,gelu_int8(range=8).f")) << outcome.out;
}

TEST(CliCurves, BadInputIsRefused) {
  const ActlabProgram actlab;
  const std::string values = "curves values gelu ";
  expect_refusal(actlab.run("curves"), 2, {"subcommand"});
  expect_refusal(actlab.run("curves moment"), 2, {"unknown verb 'curves moment'", "moments"});
  expect_refusal(actlab.run("curves values"), 2, {"activations"});
  expect_refusal(actlab.run("curves values gleu"), 2, {"gleu", "nearest: ", "gelu"});
  expect_refusal(actlab.run("curves values geglu"), 2, {"gated form", "gelu"});
  expect_refusal(actlab.run("curves values gelu silu gelu"), 2, {"gelu", "twice"});
  expect_refusal(actlab.run(values + "--from 1 --to 1"), 2, {"--from", "1"});
  expect_refusal(actlab.run(values + "--from nan"), 2, {"--from", "nan"});
  expect_refusal(actlab.run(values + "--to inf"), 2, {"--to", "inf"});
  expect_refusal(actlab.run(values + "--points 1"), 2, {"--points"});
  expect_refusal(actlab.run(values + "--points 1000000"), 2, {"--points"});
  expect_refusal(actlab.run(values + "--what f,g"), 2, {"unknown curve 'g'", "d2f"});
  expect_refusal(actlab.run(values + "--svg c.svg --y=1"), 2, {"--y", "LOW,HIGH"});
  expect_refusal(actlab.run(values + "--svg c.svg --y=2,1"), 2, {"--y", "2", "1"});
  expect_refusal(actlab.run("curves moments relu --sigma 0"), 2, {"--sigma 0", "0.001 to 100"});
  expect_refusal(actlab.run("curves moments relu --samples 1"), 2, {"--samples"});
  expect_refusal(actlab.run("curves errors --exact tanh"), 2, {"no activation is named after 'tanh'"});
  expect_refusal(actlab.run("curves errors silu --exact swiglu"), 2, {"gated form"});
  expect_refusal(actlab.run("curves histogram relu --bins 0"), 2, {"--bins"});
  expect_refusal(actlab.run("curves values relu elu selu silu mish gelu tanh sigmoid softplus --svg out.svg"),
                 2, {"--svg", "at most 8", "9"});
  EXPECT_FALSE(std::filesystem::exists(actlab.folder() / "out.svg"));
}

TEST(CliCurves, ChartThatCannotBeWrittenIsAnError) {
  const ActlabProgram actlab;
  std::filesystem::create_directory(actlab.folder() / "folder");
  expect_refusal(actlab.run("curves values gelu --svg folder"), 1, {"folder"});
  expect_refusal(actlab.run("curves values gelu --svg missing/out.svg"), 1,
                 {"missing/out.svg", "No such file"});
}

}  // namespace
}  // namespace actlab
