// precision = "bf16": used where the CPU has it; where not, a warning, f32, and no table that says otherwise.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/runner/precision.h"
#include "tests/support/actlab_program.h"
#include "tests/support/run_folders.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Two updates a job on small images.
const std::string smoke =
    "run '" ACTLAB_SOURCE_DIR
    "/experiments/configs/synthetic_smoke.toml' data.train=64 data.test=40 data.size=8 data.batch=32 "
    "model.widths=[4,4] train.epochs=1 sweep.seed= ";

bool native() {
  const Backend& cpu = find_backend("cpu");
  return cpu.matmul.native(DType::bf16) && cpu.convolution.native(DType::bf16);
}
std::string bf16_here() { return native() ? "bf16" : "f32"; }

json parsed(const std::string& text) { return json::parse(text, nullptr, false); }

int count_of(const std::string& text, const std::string& part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

std::vector<fs::path> runs_in(const ActlabProgram& actlab) {
  return run_folders_in(actlab.folder() / "runs/synthetic_smoke");
}

TEST(Precision, IsF32WhereThereAreNoKernels) {
  std::vector<std::string> warnings;
  const auto warn = [&](const std::string& text) { warnings.push_back(text); };
  const Backend& loops = find_backend("reference");
  for (const char* name : {"f32", "bf16", "bf16_emulated"})
    EXPECT_EQ(usable_precision(name, loops, warn), name);
  EXPECT_THROW(usable_precision("bf32", loops, warn), ConfigError);
  EXPECT_TRUE(warnings.empty());
  for (const std::string& gemm : gemm_names()) {
    if (gemm != "openblas") continue;
    const Backend& cpu = find_backend("cpu", gemm);
    EXPECT_EQ(usable_precision("bf16_emulated", cpu, warn), "bf16_emulated");
    EXPECT_TRUE(warnings.empty());
    EXPECT_EQ(usable_precision("bf16", cpu, warn), "f32");
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("OpenBLAS"), std::string::npos) << warnings[0];
  }
}

TEST(CliPrecision, Bf16IsUsedOrWarnedOfOnce) {
  const ActlabProgram actlab;
  const Outcome outcome = actlab.run(smoke + "precision=bf16 --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(count_of(outcome.err, "precision = \"bf16\": "), native() ? 0 : 1) << outcome.err;
  const json table = parsed(outcome.out);
  ASSERT_EQ(table.size(), 2u);
  for (const json& row : table) EXPECT_EQ(row.value("precision", "f32"), bf16_here()) << row.dump();
  for (const fs::path& run : runs_in(actlab)) {
    EXPECT_EQ(parsed(read_file(run / "summary.json"))["precision"], bf16_here());
    EXPECT_NE(read_file(run / "config.toml").find("precision = \"" + bf16_here() + "\""), std::string::npos);
    EXPECT_EQ(parsed(read_file(run / "environment.json"))["bf16"], native() ? "native" : "by way of f32");
  }
  // The f32 jobs are then these, and are done.
  actlab.run(smoke + "precision=f32");
  EXPECT_EQ(runs_in(actlab).size(), native() ? 4u : 2u);
}

TEST(CliPrecision, Bf16StandsBesideF32OnAnyCpu) {
  const ActlabProgram actlab;
  const Outcome outcome =
      actlab.run(smoke + "sweep.activation=gelu sweep.precision=f32,bf16_emulated,bf16 --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json table = parsed(outcome.out);
  const std::size_t kinds = native() ? 3 : 2;
  ASSERT_EQ(table.size(), kinds) << outcome.out;
  EXPECT_EQ(table[0]["precision"], "f32");
  EXPECT_EQ(table[1]["precision"], "bf16_emulated");
  EXPECT_LT(table[1]["saved_bytes"], table[0]["saved_bytes"]);
  for (std::size_t i = 2; i < kinds; ++i) EXPECT_EQ(table[i]["saved_bytes"], table[1]["saved_bytes"]);
  std::vector<double> losses;
  for (const fs::path& run : runs_in(actlab)) {
    const json summary = parsed(read_file(run / "summary.json"));
    losses.push_back(summary["loss"]);
    const json evaluated = parsed(actlab.run("evaluate '" + run.string() + "' --format json").out);
    EXPECT_EQ(evaluated["precision"], summary["precision"]);
    EXPECT_EQ(evaluated["loss"], summary["loss"]);
  }
  ASSERT_EQ(losses.size(), kinds);
  std::ranges::sort(losses);
  EXPECT_NE(losses.front(), losses.back());
  EXPECT_NEAR(losses.front(), losses.back(), 0.1);
}

TEST(CliPrecision, OtherNamesAreRefusedWithTheChoices) {
  const ActlabProgram actlab;
  for (const std::string& command : {smoke + "precision=f64", std::string("bench step --precision f64"),
                                     std::string("bench ffn --precision f64")})
    expect_refusal(actlab.run(command), 2,
                   {"precision: wanted one of f32, tf32, bf16, bf16_emulated, f16, found", "f64"});
  for (const std::string& command : {smoke + "precision=tf32", std::string("bench matmul --precision tf32")})
    expect_refusal(actlab.run(command), 2,
                   {"precision = \"tf32\": is of CUDA devices; use precision = \"f32\""});
  for (const std::string& command : {smoke + "precision=f16", std::string("bench step --precision f16")})
    expect_refusal(actlab.run(command), 2, {"precision = \"f16\"", "has no kernels for f16", "CUDA device"});
  EXPECT_TRUE(fs::is_empty(actlab.folder()));
}

TEST(CliPrecision, TracesAreOfF32) {
  const ActlabProgram actlab;
  for (const std::string precision : {"bf16", "bf16_emulated"})
    expect_refusal(actlab.run(smoke + "activation=gelu precision=" + precision + " --trace t.safetensors"), 2,
                   {"--trace", "found \"" + precision + "\"", "precision=f32"});
  EXPECT_TRUE(fs::is_empty(actlab.folder()));
}

TEST(CliPrecision, BenchShowsTheOneThatItTimed) {
  const ActlabProgram actlab;
  const std::string step = "bench step --batch 128 --threads 1 --repeats 1 --format json --precision ";
  const Outcome emulated = actlab.run(step + "bf16_emulated"), plain = actlab.run(step + "bf16");
  const json of_emulated = parsed(emulated.out), of_plain = parsed(plain.out);
  EXPECT_EQ(of_emulated["precision"], "bf16_emulated") << emulated.err;
  EXPECT_LE(of_emulated["saved_bytes"], 18'500'000);
  EXPECT_EQ(of_emulated["new_segments"], 0);
  EXPECT_EQ(of_plain["precision"], bf16_here()) << plain.err;
  EXPECT_EQ(count_of(plain.err, "precision = \"bf16\": "), native() ? 0 : 1) << plain.err;

  const std::string ffn =
      "bench ffn --tokens 6 --d 5 --width 8 --threads 1 --repeats 1 --format json --precision ";
  const json of_ffn = parsed(actlab.run(ffn + "bf16_emulated").out);
  EXPECT_EQ(of_ffn["precision"], "bf16_emulated");
  EXPECT_EQ(of_ffn["saved_bytes"], 6 * (5 + 8) * 2);
  for (const std::string kernel :
       {"matmul --m 5 --n 7 --k 3 --transpose-b", "conv --batch 2 --size 5 --in 3 --out 4"}) {
    const Outcome outcome =
        actlab.run("bench " + kernel + " --threads 1 --repeats 1 --format json --precision bf16_emulated");
    EXPECT_EQ(parsed(outcome.out)["precision"], "bf16_emulated") << outcome.err;
  }
}

}  // namespace
}  // namespace actlab
