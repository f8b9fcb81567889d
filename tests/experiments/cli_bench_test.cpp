// The benchmarks: what they report, beside the machine's limits and beside an earlier report.
#include <nlohmann/json.hpp>

#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

using nlohmann::json;

json json_of(const ActlabProgram& actlab, const std::string& arguments) {
  const Outcome outcome = actlab.run(arguments + " --format json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return json::parse(outcome.out, nullptr, false);
}

TEST(CliBench, StepMeasuresTimeAndMemory) {
  const ActlabProgram actlab;
  const json step = json_of(actlab, "bench step --activation gelu --batch 128 --threads 1 --repeats 1");
  EXPECT_EQ(step["precision"], "f32");
  EXPECT_EQ(step["threads"], 1);
  EXPECT_GT(step["seconds"], 0.0);
  EXPECT_NEAR(step["images_per_second"], 128 / step["seconds"].get<double>(),
              1e-6 * step["images_per_second"].get<double>());
  EXPECT_LE(step["saved_bytes"], 34'700'000);
  EXPECT_GT(step["activation_bytes"], 0);
  EXPECT_LT(step["activation_bytes"], step["saved_bytes"]);
  EXPECT_GT(step["peak_bytes"], step["saved_bytes"]);
  EXPECT_EQ(step["new_segments"], 0);

  std::int64_t saved = 0;
  for (const json& row : json_of(actlab, "bench step --activation gelu --batch 128 --by-layer"))
    saved += row["saved_bytes"].get<std::int64_t>();
  EXPECT_EQ(saved, step["saved_bytes"]);
}

TEST(CliBench, FfnKeepsItsInputAndThePreActivation) {
  const ActlabProgram actlab;
  const std::string small = "bench ffn --tokens 6 --d 5 --width 8 --threads 1 --repeats 1 --activation ";
  const json plain = json_of(actlab, small + "gelu"), gated = json_of(actlab, small + "geglu");
  EXPECT_EQ(plain["saved_bytes"], 6 * (5 + 8) * 4);
  EXPECT_EQ(gated["saved_bytes"], 6 * (5 + 2 * 8) * 4);
  for (const json& ffn : {plain, gated}) {
    EXPECT_GT(ffn["seconds"], 0.0);
    const double products = ffn["activation"] == "geglu" ? 9 : 6;
    EXPECT_NEAR(ffn["gflops"].get<double>() * ffn["seconds"].get<double>(), products * 2e-9 * 6 * 5 * 8,
                1e-12);
  }
}

TEST(CliBench, StepTakesOptionsOfTheModelAndRefusesOthers) {
  const ActlabProgram actlab;
  const std::string step = "bench step --batch 4 --threads 1 --repeats 1 ";
  EXPECT_LT(json_of(actlab, step + "model.widths=[4,4]")["saved_bytes"],
            json_of(actlab, step)["saved_bytes"]);
  expect_refusal(actlab.run(step + "data.batch=2"), 2, {"'data.batch=2'", "options of the model"});
  expect_refusal(actlab.run(step + "model.width=2"), 2, {"'model.width'", "nearest: widths"});
  const json text =
      json_of(actlab, step + "--model bert_ffn --window 16 --vocabulary 50 model.d=8 model.d_ff=16");
  EXPECT_GT(text["tokens_per_second"], 0.0);
}

TEST(CliBench, KernelStandsBesideRelu) {
  const ActlabProgram actlab;
  for (const std::string dtype : {"f32", "bf16"}) {
    const json kernel = json_of(
        actlab, "bench kernel --activation mish --elements 4096 --threads 1 --repeats 2 --dtype " + dtype);
    EXPECT_EQ(kernel["dtype"], dtype);
    EXPECT_EQ(kernel["elements"], 4096);
    for (const char* key : {"gbs_forward", "gbs_backward", "relu_gbs_forward", "relu_gbs_backward"})
      EXPECT_GT(kernel.at(key), 0.0) << key;
  }
}

TEST(CliBench, GatedKernelStandsBesideReglu) {
  const ActlabProgram actlab;
  const json kernel =
      json_of(actlab, "bench kernel --activation geglu --elements 8192 --threads 1 --repeats 2 --dtype bf16");
  EXPECT_EQ(kernel["activation"], "geglu");
  EXPECT_NEAR(kernel["of_relu_forward"].get<double>(),
              kernel["gbs_forward"].get<double>() / kernel["relu_gbs_forward"].get<double>(), 1e-9);
  expect_refusal(actlab.run("bench kernel --activation geglu --elements 5000"), 2, {"5000", "2048"});
}

TEST(CliBench, ProductsHaveTheirRates) {
  const ActlabProgram actlab;
  const json matmul =
      json_of(actlab, "bench matmul --m 20 --n 30 --k 40 --transpose-b --threads 1 --repeats 2");
  EXPECT_NEAR(matmul["gflops"].get<double>() * matmul["seconds"].get<double>(), 2e-9 * 20 * 30 * 40, 1e-12);
  const json conv = json_of(
      actlab, "bench conv --batch 2 --size 9 --in 3 --out 5 --kernel 3 --stride 2 --threads 1 --repeats 2");
  for (const std::string pass : {"forward", "by_data", "by_weights"})
    EXPECT_NEAR(conv[pass + "_gflops"].get<double>() * conv[pass + "_seconds"].get<double>(),
                2e-9 * 2 * 5 * 5 * 5 * 27, 1e-12)
        << pass;
  expect_refusal(actlab.run("bench conv --size 4 --kernel 9 --padding 2"), 2, {"kernel of 9", "image of 4"});
}

TEST(CliBench, RooflineSaysWhatShareIsReached) {
  const ActlabProgram actlab;
  const std::string small = " --threads 1 --repeats 2 --roofline";
  const json step = json_of(actlab, "bench step --batch 4" + small);
  EXPECT_GT(step["bandwidth_gbs"], 0.0);
  EXPECT_GT(step["gemm_gflops"], 0.0);
  EXPECT_GT(step["share"], 0.0);
  const json kernel = json_of(actlab, "bench kernel --elements 4096" + small);
  EXPECT_NEAR(kernel["share_forward"].get<double>(),
              kernel["gbs_forward"].get<double>() / kernel["bandwidth_gbs"].get<double>(), 1e-9);
}

TEST(CliBench, ComparesWithAnEarlierReport) {
  const ActlabProgram actlab;
  const std::string bench = "bench step --batch 4 --threads 1 --repeats 1 ";
  const json before = json_of(actlab, bench);
  actlab.write("before.json", before.dump());
  const json after = json_of(actlab, bench + "--compare before.json");
  EXPECT_EQ(after["seconds_before"], before["seconds"]);
  EXPECT_NEAR(after["seconds_ratio"].get<double>(),
              after["seconds"].get<double>() / before["seconds"].get<double>(), 1e-9);
  EXPECT_EQ(after["saved_bytes_ratio"], 1.0);
  EXPECT_EQ(after["new_segments_ratio"], nullptr);

  // Another way to compute the same is worth a comparison; another thing is not.
  const Outcome plain = actlab.run(bench + "fuse=false --compare before.json");
  EXPECT_EQ(plain.code, 0) << plain.err;
  EXPECT_NE(plain.err.find("there fuse was yes, here it is no"), std::string::npos) << plain.err;
  expect_refusal(actlab.run(bench + "--activation relu --compare before.json"), 2,
                 {"before.json", "activation = gelu", "this one has relu"});
  expect_refusal(actlab.run(bench + "model.widths=[4,4] --compare before.json"), 2,
                 {"options", "widths=[4, 4]"});
  expect_refusal(actlab.run("bench matmul --compare before.json"), 2, {"before.json", "m = -"});
  actlab.write("damaged.json", "{\"model\":");
  expect_refusal(actlab.run(bench + "--compare damaged.json"), 3,
                 {"damaged.json", "no JSON", "--format json"});
  expect_refusal(actlab.run(bench + "--compare absent.json"), 3, {"absent.json"});
  expect_refusal(actlab.run(bench + "--compare ''"), 3, {"cannot read"});
  json of_words = before;
  of_words["seconds"] = "fast";
  actlab.write("words.json", of_words.dump());
  expect_refusal(actlab.run(bench + "--compare words.json"), 3,
                 {"words.json", "seconds: wanted a number, found fast"});
  // The default, given, is the same options.
  EXPECT_EQ(actlab.run(bench + "model.init=xavier --compare before.json").code, 0);
  expect_refusal(actlab.run(bench + "--by-layer --roofline"), 2, {"--by-layer"});
}

}  // namespace
}  // namespace actlab
