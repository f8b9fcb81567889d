// device = "cuda" and "auto" from the command line: without a device a reason, with the emulated one a run.
#include <nlohmann/json.hpp>

#include "kernels/backend.h"
#include "tests/support/actlab_program.h"
#include "tests/support/run_folders.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

const std::string smoke =
    "run '" ACTLAB_SOURCE_DIR
    "/experiments/configs/synthetic_smoke.toml' data.train=32 data.test=16 data.size=8 data.batch=16 "
    "model.widths=[4,4] train.epochs=1 sweep.seed= sweep.activation=gelu --format json ";

bool built_with_cuda() {
  const auto names = device_names();
  return std::find(names.begin(), names.end(), "cuda") != names.end();
}

fs::path only_run(const ActlabProgram& actlab) {
  const std::vector<fs::path> found = run_folders_in(actlab.folder() / "runs/synthetic_smoke");
  EXPECT_EQ(found.size(), 1u);
  return found.at(0);
}

json parsed(const std::string& text) { return json::parse(text, nullptr, false); }

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nin " << text;
}

TEST(CliDevice, AutoSaysWhatItTakes) {
  const ActlabProgram actlab;
  const Outcome outcome = actlab.run(smoke + "device=auto");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const DeviceChoice best = best_device();
  expect_contains(outcome.err, "device = \"auto\": " + best.device);
  expect_contains(outcome.err, best.reason);
  const fs::path run = only_run(actlab);
  expect_contains(read_file(run / "config.toml"), "device = \"" + best.device + "\"");
  EXPECT_EQ(parsed(read_file(run / "environment.json"))["backend"], best.device);
}

TEST(CliDevice, WithoutOneTheReasonIsOneLine) {
  if (best_device().device == "cuda") GTEST_SKIP() << "this machine has a CUDA device";
  const ActlabProgram actlab;
  for (const std::string& command : {smoke, std::string("bench step ")}) {
    const std::string as = command == smoke ? "device=cuda" : "--device cuda";
    if (built_with_cuda())
      expect_refusal(actlab.run(command + as), 2,
                     {"device = \"cuda\": ", best_device().reason, "device = \"cpu\""});
    else
      expect_refusal(actlab.run(command + as), 2, {"device = \"cuda\" is not built in", "cpu, reference"});
  }
  for (const char* wrong : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:70000"})
    expect_refusal(actlab.run(smoke + "device=" + wrong), 2,
                   {"device: wanted one of auto, cpu, cuda, cuda:N, reference", wrong});
  EXPECT_TRUE(fs::is_empty(actlab.folder()));
}

class CliDeviceEmulated : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(ACTLAB_BINARY_DIR "/actlab_emulated")) GTEST_SKIP() << "the emulation was not built";
  }
  Outcome run(const std::string& arguments) { return actlab.run_program("actlab_emulated", arguments); }

  ActlabProgram actlab;
};

TEST_F(CliDeviceEmulated, TrainsAndEvaluates) {
  const Outcome outcome = run(smoke + "device=cuda");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const fs::path folder = only_run(actlab);
  const json environment = parsed(read_file(folder / "environment.json"));
  EXPECT_EQ(environment["backend"], "cuda");
  expect_contains(environment["convolution"], "CUDA");
  const double loss = parsed(read_file(folder / "summary.json"))["loss"];
  const Outcome there = run("evaluate '" + folder.string() + "' --format json");
  EXPECT_EQ(parsed(there.out)["loss"], loss) << there.err;
  const Outcome here = actlab.run("evaluate '" + folder.string() + "' device=cpu --format json");
  EXPECT_NEAR(parsed(here.out)["loss"].get<double>(), loss, 1e-5 * loss) << here.err;
  // The same training on the CPU.
  const ActlabProgram other;
  ASSERT_EQ(other.run(smoke).code, 0);
  const json on_cpu = parsed(read_file(only_run(other) / "summary.json"));
  EXPECT_NEAR(on_cpu["loss"].get<double>(), loss, 1e-4 * loss);
}

TEST_F(CliDeviceEmulated, TrainsInHalves) {
  const Outcome outcome = run(smoke + "device=cuda sweep.precision=f16,bf16,bf16_emulated");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json table = parsed(outcome.out);
  ASSERT_EQ(table.size(), 2u) << outcome.out;
  EXPECT_EQ(table[0]["precision"], "f16");
  EXPECT_EQ(table[1]["precision"], "bf16");
}

TEST_F(CliDeviceEmulated, MultipliesAsTf32WhereThatIsAskedFor) {
  const Outcome outcome = run(smoke + "device=cuda sweep.activation=gelu sweep.precision=f32,tf32");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json table = parsed(outcome.out);
  ASSERT_EQ(table.size(), 2u) << outcome.out;
  EXPECT_EQ(table[1]["precision"], "tf32");
  EXPECT_EQ(table[1]["saved_bytes"], table[0]["saved_bytes"]);
}

TEST_F(CliDeviceEmulated, IsCountedAndChosen) {
  expect_refusal(run(smoke + "device=cuda:7"), 2, {"device = \"cuda:7\": there is 1 device"});
  const Outcome outcome = run(smoke + "device=auto");
  expect_contains(outcome.err, "device = \"auto\": cuda");
  expect_contains(read_file(only_run(actlab) / "config.toml"), "device = \"cuda\"");
}

}  // namespace
}  // namespace actlab
