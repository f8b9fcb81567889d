// Traces hold the first step that training takes, and PyTorch computes the same from them.
#include "experiments/runner/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "experiments/config/config.h"
#include "framework/ops/ops.h"
#include "framework/train/safetensors.h"
#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

const std::string smoke = ACTLAB_SOURCE_DIR "/experiments/configs/synthetic_smoke.toml";
const std::string python = "/usr/bin/python3";
const std::string parity = python + " '" ACTLAB_SOURCE_DIR "/experiments/peers/parity_torch.py' ";

NamedArray& array_of(Safetensors& file, const std::string& name) {
  const auto found = std::find_if(file.arrays.begin(), file.arrays.end(),
                                  [&](const NamedArray& array) { return array.name == name; });
  if (found == file.arrays.end()) throw Error("the trace has no " + name);
  return *found;
}

std::span<float> floats_of(NamedArray& array) {
  return {reinterpret_cast<float*>(array.data.data()), static_cast<std::size_t>(array.shape.count())};
}

TEST(Trace, HoldsTheFirstStepOfTraining) {
  const TemporaryFolder folder;
  const Experiment experiment =
      load_experiment(smoke,
                      {"activation=gelu", "seed=3", "data.augment=true", "data.train=100", "data.batch=32",
                       "data.validation=0.1", "train.steps=1"},
                      known_schemas())
          .at(0);
  DataSets data;
  const fs::path file = folder.path() / "step.safetensors";
  const TraceSummary summary = write_trace(experiment, data, file);
  EXPECT_EQ(summary.samples, 32);
  EXPECT_EQ(summary.tensors, 16);

  struct FirstLoss : TrainObserver {
    void on_step(std::int64_t, std::int64_t, double loss, std::int64_t) override { value = loss; }
    double value = 0;
  } first;
  const Dataset& set = data.of(experiment);
  Backend& backend = backend_of(experiment);
  const auto model = build_model(experiment, set.spec());
  Safetensors trace = read_safetensors(file);
  for (const auto& [name, tensor] : model->parameters()) {
    const std::span<float> stored = floats_of(array_of(trace, "parameter." + name));
    EXPECT_EQ(std::vector<float>(stored.begin(), stored.end()), tensor.to_vector<float>()) << name;
  }
  const auto optimizer = build_optimizer(experiment, *model);
  Trainer(*model, *optimizer, build_schedule(experiment, 1), set, backend, train_settings(experiment))
      .run(first);
  EXPECT_EQ(summary.loss, first.value);
  EXPECT_EQ(floats_of(array_of(trace, "loss"))[0], static_cast<float>(first.value));
  // The first step of SGD with a rate of 0.05 and Nesterov's momentum of 0.9.
  for (const auto& [name, tensor] : model->parameters()) {
    const std::span<float> start = floats_of(array_of(trace, "parameter." + name));
    const std::span<float> gradient = floats_of(array_of(trace, "gradient." + name));
    const std::vector<float> now = tensor.to_vector<float>();
    for (std::size_t i = 0; i < now.size(); ++i)
      ASSERT_NEAR(now[i], start[i] - 0.05F * 1.9F * gradient[i], 1e-7F) << name << ' ' << i;
  }
  EXPECT_EQ(array_of(trace, "input").shape, (Shape{32, 32, 32, 3}));
  EXPECT_EQ(array_of(trace, "labels").dtype, DType::i32);
  EXPECT_EQ(trace.metadata.at("layout.input"), "NHWC");
  EXPECT_EQ(trace.metadata.at("layout.gradient.conv1.weight"), "OHWI");
  EXPECT_EQ(trace.metadata.at("layout.parameter.head.weight").substr(0, 6), "out,in");
  EXPECT_EQ(trace.metadata.at("activation"), "gelu");
  EXPECT_EQ(trace.metadata.at("config"), to_toml(experiment));
  for (const char* key : {"version", "model", "seed", "backend", "matmul", "instruction_set"})
    EXPECT_FALSE(trace.metadata.at(key).empty()) << key;
}

TEST(CliTrace, TakesOneJobAndLeavesNoRun) {
  const ActlabProgram actlab;
  expect_refusal(actlab.run("run '" + smoke + "' --trace t.safetensors"), 2,
                 {"--trace takes one job", "describes 4", "activation=NAME seed=NUMBER"});
  expect_refusal(actlab.run("run '" + smoke + "' activation=gelu seed=0 --trace none/t.safetensors"), 1,
                 {"none/t.safetensors", "No such file"});
  expect_refusal(actlab.run("run '" + smoke + "' activation=gelu seed=0 data.batch=1025 --trace t"), 2,
                 {"data.batch"});
  EXPECT_TRUE(fs::is_empty(actlab.folder()));
  const Outcome outcome =
      actlab.run("run '" + smoke + "' activation=gelu seed=1 --trace t.safetensors --format csv");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("trace,activation,seed,samples,loss,tensors\nt.safetensors,gelu,1,64,"))
      << outcome.out;
  EXPECT_EQ(std::distance(fs::directory_iterator(actlab.folder()), fs::directory_iterator()), 1);
}

class CliTraceParity : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system((python + " -c 'import torch, numpy, tomllib' 2>/dev/null").c_str()) != 0)
      GTEST_SKIP() << python << " has no PyTorch: apt-get install python3-torch";
  }

  void trace(const std::string& name, const std::string& settings) {
    const Outcome outcome = actlab_.run("run '" + smoke + "' seed=0 data.augment=true data.size=20 --trace " +
                                        name + " " + settings);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  // Exit code and output of the script.
  std::pair<int, std::string> check(const std::string& arguments) {
    const fs::path out = actlab_.folder() / "out";
    const int status = std::system(
        ("cd '" + actlab_.folder().string() + "' && " + parity + arguments + " >out 2>&1").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(out)};
  }

  ActlabProgram actlab_;
};

TEST_F(CliTraceParity, PyTorchComputesTheSame) {
  std::string traces;
  for (const char* activation : {"relu", "silu", "gelu", "elu(alpha=0.5)", "leaky_relu(slope=0.1)"}) {
    const std::string name = concat(activation, ".safetensors");
    ASSERT_NO_FATAL_FAILURE(trace("'" + name + "'", concat("'activation=", activation, "'")));
    traces += " '" + name + "'";
  }
  const auto [code, out] = check(traces);
  EXPECT_EQ(code, 0) << out;
  EXPECT_NE(out.find("gradient.conv1.weight"), std::string::npos) << out;
}

TEST_F(CliTraceParity, BatchNormToo) {
  std::string traces;
  for (const char* activation : {"relu", "silu", "gelu"}) {
    ASSERT_NO_FATAL_FAILURE(
        trace(concat("norm_", activation),
              concat("model.batch_norm=true train.label_smoothing=0.1 activation=", activation)));
    traces += concat(" norm_", activation);
  }
  const auto [code, out] = check(traces);
  EXPECT_EQ(code, 0) << out;
  EXPECT_NE(out.find("buffer.norm2.running_var"), std::string::npos) << out;
}

TEST_F(CliTraceParity, WrongGradientsAreCaught) {
  ASSERT_NO_FATAL_FAILURE(trace("good.safetensors", "activation=gelu"));
  for (const char* name :
       {"gradient.conv2.weight", "gradient.head.weight", "gradient.conv1.bias", "logits"}) {
    Safetensors file = read_safetensors(actlab_.folder() / "good.safetensors");
    const std::span<float> values = floats_of(array_of(file, name));
    float largest = 0;
    for (const float value : values) largest = std::max(largest, std::fabs(value));
    values[1] += 3e-4F * largest;
    write_safetensors(actlab_.folder() / "wrong.safetensors", file.arrays, file.metadata);
    const auto [code, out] = check("wrong.safetensors");
    EXPECT_EQ(code, 1) << name << '\n' << out;
    const auto line = out.find(std::string(name) + " ");
    EXPECT_EQ(out.substr(out.find('\n', line) - 2, 2), "NO") << out;
  }
}

TEST_F(CliTraceParity, TracesThatCannotBeCheckedAreNoFailures) {
  actlab_.write("text", "no trace at all");
  EXPECT_EQ(check("text").first, 2);
  EXPECT_EQ(check("none").first, 2);
}

}  // namespace
}  // namespace actlab
