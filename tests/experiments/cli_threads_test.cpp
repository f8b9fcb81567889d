// Threads: as many as are asked for and no more, the same bits for the same number, the same training for
// any.
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "framework/train/safetensors.h"
#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// One job of ten updates, with everything that draws random numbers.
const std::string job =
    "run '" ACTLAB_SOURCE_DIR
    "/experiments/configs/synthetic_smoke.toml' sweep.activation=gelu sweep.seed=7 data.augment=true "
    "model.dropout=0.3 data.size=16 data.test=64 train.steps=10 ";

fs::path file_below(const fs::path& folder, const std::string& name) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().filename() == name) return entry.path();
  throw Error(concat("no ", name, " below ", folder.string()));
}

// The most threads that the program had at once, as the kernel counts them.
int most_threads(const ActlabProgram& actlab, const std::string& arguments, const std::string& setup = "") {
  actlab.write("watch.sh",
               "\"$@\" & program=$! most=0\n"
               "while kill -0 $program 2>/dev/null; do\n"
               "  while read -r key value; do\n"
               "    if [[ $key == Threads: && $value -gt $most ]]; then most=$value; fi\n"
               "  done 2>/dev/null < /proc/$program/status\n"
               "  sleep 0.01\n"
               "done\n"
               "echo $most > most\n"
               "wait $program\n");
  const Outcome outcome = actlab.run(arguments, setup + "bash watch.sh");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return std::stoi(read_file(actlab.folder() / "most"));
}

TEST(CliThreads, NoMoreThanAreAskedFor) {
  const json libraries = json::parse(ActlabProgram().run("list gemm --format json").out, nullptr, false);
  ASSERT_FALSE(libraries.empty());
  for (const json& library : libraries) {
    // Plain loops, and long ones; convolutions of CUDA devices.
    if (library["name"] == "reference" || library["name"] == "cudnn") continue;
    for (const int threads : {1, 3}) {
      const ActlabProgram actlab;
      const std::string gemm = library["name"];
      EXPECT_EQ(
          most_threads(actlab, concat(job, "gemm=", gemm, " threads=", threads), "export OMP_NUM_THREADS=4;"),
          threads)
          << gemm;
      const json environment = json::parse(read_file(file_below(actlab.folder(), "environment.json")));
      EXPECT_EQ(environment["threads"], threads);
    }
  }
}

TEST(CliThreads, AsTheEnvironmentSaysWithoutAWord) {
  const ActlabProgram actlab;
  for (const int threads : {1, 3}) {
    const std::string setup = concat("export OMP_NUM_THREADS=", threads, "; ");
    EXPECT_EQ(most_threads(actlab, concat(job, "run.root=runs", threads), setup), threads);
    EXPECT_EQ(json::parse(actlab.run("info --format json", setup).out)["threads"], threads);
    EXPECT_EQ(json::parse(read_file(
                  file_below(actlab.folder() / concat("runs", threads), "environment.json")))["threads"],
              threads);
  }
}

TEST(CliThreads, EqualNumbersGiveEqualBitsOthersTheSameTraining) {
  const ActlabProgram actlab;
  const auto metrics = [&](int threads, const std::string& root) {
    const Outcome outcome =
        actlab.run(concat(job, "train.eval_every=1 threads=", threads, " run.root=", root),
                   "export OMP_WAIT_POLICY=passive;");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_file(file_below(actlab.folder() / root, "metrics.jsonl"));
  };
  const auto losses = [](const std::string& text) {
    std::vector<double> values;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      values.push_back(json::parse(line)["train_loss"].get<double>());
    return values;
  };
  const std::string two = metrics(2, "a");
  EXPECT_EQ(metrics(2, "b"), two);
  const std::vector<double> expected = losses(two);
  ASSERT_EQ(expected.size(), 10u);
  for (const int threads : {1, 4}) {
    const std::vector<double> found = losses(metrics(threads, concat("threads", threads)));
    ASSERT_EQ(found.size(), 10u);
    // Another mask or another order would move them by more than a tenth.
    for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(found[i], expected[i], 1e-4 * expected[i]) << threads;
  }
}

TEST(CliThreads, AnyNumberStartsFromTheSameWeightsAndBatch) {
  const ActlabProgram actlab;
  std::map<std::string, std::vector<std::byte>> expected;
  for (const int threads : {1, 2, 4}) {
    ASSERT_EQ(actlab.run(concat(job, "threads=", threads, " --trace step.safetensors")).code, 0);
    for (const NamedArray& array : read_safetensors(actlab.folder() / "step.safetensors").arrays) {
      if (array.name != "input" && array.name != "labels" && !array.name.starts_with("parameter.")) continue;
      if (threads == 1) expected[array.name] = array.data;
      EXPECT_EQ(array.data, expected[array.name]) << array.name << " of " << threads << " threads";
    }
  }
  EXPECT_EQ(expected.size(), 2u + 6u);
}

}  // namespace
}  // namespace actlab
