// The verbs that look into the program: probe, check, list, info.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "kernels/activation.h"
#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

using nlohmann::json;

json json_of(const ActlabProgram& actlab, const std::string& arguments) {
  const Outcome outcome = actlab.run(arguments + " --format json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out, nullptr, false);
}

std::string probe(const ActlabProgram& actlab, const std::string& arguments) {
  const Outcome outcome = actlab.run("probe " + arguments + " --format csv");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return outcome.out;
}

TEST(CliProbe, ValuesAndDerivatives) {
  const ActlabProgram actlab;
  std::istringstream lines(probe(actlab, "gelu --x=-5.5,0,1.5"));
  std::string header;
  std::getline(lines, header);
  EXPECT_EQ(header, "x,f,df");
  const double exact[3][3] = {
      {-5.5, -1.04442594e-07, -5.73347211e-07}, {0, 0, 0.5}, {1.5, 1.39978920, 1.12746921}};
  for (const auto& row : exact) {
    double found[3];
    char comma;
    ASSERT_TRUE(lines >> found[0] >> comma >> found[1] >> comma >> found[2]);
    EXPECT_EQ(found[0], row[0]);
    for (int i = 1; i < 3; ++i) EXPECT_NEAR(found[i], row[i], 4e-7 * std::fabs(row[i])) << row[0];
  }
}

TEST(CliProbe, ReferenceGivesTheSecondDerivative) {
  const ActlabProgram actlab;
  const json rows = json_of(actlab, "probe gelu --x=0,1.5,3 --backend reference --dtype f64");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_NEAR(rows[0]["d2f"], 0.797884560802865, 1e-14);
  EXPECT_NEAR(rows[1]["d2f"], -0.0323793989, 1e-10);
  EXPECT_NEAR(rows[2]["d2f"], -0.0310229389, 1e-10);
}

TEST(CliProbe, LearnedGivesTheDerivativeByItsParameter) {
  const ActlabProgram actlab;
  const json rows = json_of(actlab, "probe 'swish(beta=1.5, learned=layer)' --x=-1,0,2");
  double sum = 0;
  for (const json& row : rows) sum += row["dbeta"].get<double>();
  EXPECT_NEAR(sum, 0.3298530909939814, 1e-7);
  for (const json& row : json_of(actlab, "probe 'swish(beta=1e38, learned=channel)' --x=10,0,-10"))
    EXPECT_EQ(row["dbeta"], 0);
  expect_refusal(actlab.run("probe 'gelu(learned=layer)' --x=1"), 2,
                 {"gelu", "no learnable parameter", "swish"});
}

TEST(CliProbe, PointsFromAFile) {
  const ActlabProgram actlab;
  actlab.write("points",
               "0x1.8p+1\r\n\r\n  -0x1p-149 \n\n1e-310\n+inf\n-INF\nnan\n1e-45\n-0x1.fffffep+127\n1e400");
  EXPECT_EQ(probe(actlab, "relu --input points"),
            "x,f,df\n3,3,1\n-1.40129846e-45,0,0\n0,0,0\ninf,inf,1\n-inf,0,0\nnan,nan,nan\n"
            "1.40129846e-45,1.40129846e-45,1\n-3.40282347e+38,0,0\ninf,inf,1\n");
  const json rows = json_of(actlab, "probe silu --x=inf,-inf,nan");
  EXPECT_EQ(rows[0]["f"], "inf");
  EXPECT_EQ(rows[1]["f"], 0.0);
  EXPECT_EQ(rows[1]["df"], 0.0);
  EXPECT_EQ(rows[2]["df"], "nan");
}

TEST(CliProbe, TypesAndInstructionSets) {
  const ActlabProgram actlab;
  EXPECT_EQ(probe(actlab, "identity --x=1.00390625,1.01171875,3.4e38 --dtype bf16"),
            "x,f,df\n1,1,1\n1.015625,1.015625,1\ninf,inf,1\n");
  EXPECT_EQ(probe(actlab, "identity --x=65519,65520,0x1p-24 --dtype f16"),
            "x,f,df\n65504,65504,1\ninf,inf,1\n5.96046448e-08,5.96046448e-08,1\n");
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512}) {
    const std::string arguments = concat("gelu --x=2 --isa ", name_of(isa));
    if (cpu_supports(isa)) {
      EXPECT_TRUE(probe(actlab, arguments).starts_with("x,f,df\n2,1.9544997"));
    } else {
      expect_refusal(actlab.run("probe " + arguments), 2, {std::string(name_of(isa))});
    }
  }
}

TEST(CliProbe, Refusals) {
  const ActlabProgram actlab;
  actlab.write("bad", "1\n\n2,5\n3\n");
  actlab.write("empty", "\n \n");
  expect_refusal(actlab.run("probe gelu --input bad"), 2, {"bad:3: '2,5' is no number"});
  for (const char* wrong : {"1.5f", "0x", "1e", "--1", "one", "1 2", "+-1", "0x-1", "1,5,x"})
    expect_refusal(actlab.run(concat("probe gelu --x='", wrong, "'")), 2, {"is no number"});
  expect_refusal(actlab.run("probe gelu --input none"), 2, {"none", "No such file"});
  expect_refusal(actlab.run("probe gelu --input ."), 2, {"directory"});
  expect_refusal(actlab.run("probe gelu --input empty"), 2, {"no points in empty"});
  expect_refusal(actlab.run("probe gelu --x=,"), 2, {"no points in --x"});
  expect_refusal(actlab.run("probe gelu"), 2, {"--x", "--input"});
  expect_refusal(actlab.run("probe gelu --x=1 --input bad"), 2, {"--x", "--input"});
  expect_refusal(actlab.run("probe"), 2, {"activation is required"});
  expect_refusal(actlab.run("probe geluu --x=1"), 2, {"'geluu'", "nearest: gelu"});
  expect_refusal(actlab.run("probe geglu --x=1"), 2, {"'geglu'", "'gelu'"});
  expect_refusal(actlab.run("probe 'elu(alpha=x)' --x=1"), 2, {"elu", "alpha"});
  expect_refusal(actlab.run("probe gelu --x=1 --isa avx3"), 2, {"'avx3'", "nearest: avx2"});
  expect_refusal(actlab.run("probe gelu --x=1 --backend reference --isa avx2"), 2, {"--isa"});
  expect_refusal(actlab.run("probe gelu --x=1 --dtype f64"), 2, {"f64"});
  expect_refusal(actlab.run("probe gelu --x=1 --dtype f33"), 2, {"'f33'", "f32"});
}

TEST(CliCheck, PassesForTheNamedOnes) {
  const ActlabProgram actlab;
  const json rows = json_of(actlab, "check relu 'elu(alpha=0.5)'");
  std::map<std::string, int> counts;
  for (const json& row : rows) {
    ++counts[row["activation"]];
    EXPECT_EQ(row["passed"], true) << row.dump();
  }
  EXPECT_EQ(counts.size(), 2u);
  EXPECT_GE(counts["elu(alpha=0.5)"], 13);  // differences; two backends or more, three types, f and df
}

TEST(CliList, NamesWhatThereIs) {
  const ActlabProgram actlab;
  std::map<std::string, std::vector<std::string>> names;
  for (const json& row : json_of(actlab, "list")) names[row["kind"]].push_back(row["name"]);
  std::size_t headers = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ACTLAB_SOURCE_DIR "/kernels/activations"))
    headers += entry.path().extension() == ".h" ? 1U : 0U;
  EXPECT_EQ(names["activation"].size(), headers);
  EXPECT_EQ(names["model"], (std::vector<std::string>{"small_cnn", "bert_ffn", "bert_encoder"}));
  for (const char* kind : {"data set", "optimizer", "schedule", "device", "gemm"})
    EXPECT_FALSE(names[kind].empty());
  for (const char* key :
       {"train.label_smoothing", "train.clip_norm", "train.accumulate", "data.batch", "data.validation"})
    EXPECT_EQ(std::count(names["key"].begin(), names["key"].end(), key), 1) << key;
  for (const json& row : json_of(actlab, "list activations"))
    EXPECT_EQ(row["summary"].get<std::string>().find("learnable: ") != std::string::npos,
              row["name"] == "swish(beta=1)" || row["name"] == "gelu_scaled(sigma=1)")
        << row.dump();
  for (const json& row : json_of(actlab, "list schedules")) EXPECT_EQ(row["kind"], "schedule");
  // An option of several components has a row for each.
  std::vector<std::string> warmups;
  for (const json& row : json_of(actlab, "list keys"))
    if (row["name"] == "schedule.warmup") warmups.push_back(row["of"].get<std::string>());
  EXPECT_EQ(warmups, (std::vector<std::string>{"constant", "step", "cosine"}));
}

TEST(CliInfo, NamesTheMachineAndTheLibraries) {
  const ActlabProgram actlab;
  const json info = json_of(actlab, "info");
  for (const char* key :
       {"version", "compiler", "processor", "instruction_set", "matmul", "convolution", "activation"})
    EXPECT_FALSE(info.at(key).get<std::string>().empty()) << key;
  EXPECT_EQ(info["threads"], 1);
  EXPECT_GT(info["memory_bytes"], 1 << 26);
  EXPECT_TRUE(info["backends"].get<std::string>().starts_with("cpu, reference"));
  EXPECT_NE(info["gemm"].get<std::string>().find("reference ("), std::string::npos);
  EXPECT_FALSE(info["cuda"].get<std::string>().empty());
  const std::string cudnn = info["cudnn"];
  EXPECT_TRUE(cudnn.starts_with("cuDNN 9.") || cudnn.starts_with("no: ")) << cudnn;
  EXPECT_TRUE(actlab.run("--version").out.starts_with("actlab " + info["version"].get<std::string>() + "\n"));
}

TEST(CliOutput, FullOrClosedIsAnError) {
  const ActlabProgram actlab;
  for (const std::string arguments : {"--help", "--version", "probe --help", "list", "info --format json",
                                      "probe gelu --x=1 --format csv"}) {
    if (access("/dev/full", W_OK) == 0)
      expect_refusal(actlab.run(arguments + " >/dev/full"), 1, {"standard output: cannot be written"});
    expect_refusal(actlab.run(arguments + " >&-"), 1, {"standard output: cannot be written"});
  }
}

}  // namespace
}  // namespace actlab
