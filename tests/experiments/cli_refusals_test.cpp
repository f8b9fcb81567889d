// What the program refuses: one line on standard error, an exit code, and nothing left behind.
#include <unistd.h>

#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

const std::string smoke = "run '" ACTLAB_SOURCE_DIR "/experiments/configs/synthetic_smoke.toml' ";

void expect_run_refused(const std::string& arguments, int code,
                        std::initializer_list<std::string> fragments) {
  const ActlabProgram actlab;
  expect_refusal(actlab.run(smoke + arguments), code, fragments);
  EXPECT_TRUE(fs::is_empty(actlab.folder())) << arguments;
}

// Refused with the file's text; the file is "e.toml".
void expect_file_refused(const std::string& text, std::initializer_list<std::string> fragments) {
  const ActlabProgram actlab;
  actlab.write("e.toml", text);
  expect_refusal(actlab.run("run e.toml"), 2, fragments);
  EXPECT_FALSE(fs::exists(actlab.folder() / "runs"));
}

// A CIFAR-10 folder of two records a file.
std::string cifar_record(char label) { return label + std::string(3072, '\x40'); }
void write_cifar(const ActlabProgram& actlab) {
  for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
                           "data_batch_5.bin", "test_batch.bin"})
    actlab.write(name, cifar_record(1) + cifar_record(9));
}

// Values that would overflow, never end or not be readable again.
TEST(CliRefusals, Extremes) {
  for (const char* key : {"train.epochs", "train.steps", "train.eval_every", "train.checkpoint_every"})
    expect_run_refused(std::string(key) + "=4611686018427387904", 2, {key, "wanted integer in ["});
  expect_run_refused("sweep.seed=0..9223372036854775807", 2, {"sweep.seed", "range"});
  expect_run_refused("model.widths=[9223372036854775807,2]", 2, {"model.widths", "65536"});
  expect_run_refused("\"$(printf 'name=q\\377')\"", 2, {"UTF-8"});
  expect_run_refused("\"$(printf 'name=\\355\\240\\200')\"", 2, {"UTF-8"});
  std::string key = "a";
  for (int i = 0; i < 50000; ++i) key += ".a";
  expect_file_refused(key + " = 1\n", {"e.toml:1", "4096 characters"});
}

TEST(CliRefusals, Files) {
  const ActlabProgram actlab;
  expect_refusal(actlab.run("run none.toml"), 2, {"none.toml", "No such file", "experiment file"});
  expect_refusal(actlab.run("run ."), 2, {".: is a folder"});
  expect_file_refused("[optimizer]\nlearning_rte = 0.1\n",
                      {"e.toml:2", "'optimizer.learning_rte'", "nearest"});
  expect_file_refused("[optimizr]\nlr = 0.1\n", {"e.toml:1", "optimizr", "nearest: optimizer"});
  expect_file_refused("[data]\nbatch = \"32\"\n",
                      {"e.toml:2", "data.batch", "wanted integer", "found \"32\""});
  expect_file_refused("[optimizer]\nlr = nan\n", {"e.toml:2", "optimizer.lr"});
  expect_file_refused("[train\nepochs = 1\n", {"e.toml:1"});
  expect_file_refused("seed = 1\nseed = 2\n", {"e.toml:2"});
}

TEST(CliRefusals, NamesWithTheNearest) {
  expect_run_refused("sweep.activation=gelu,geluu", 2, {"unknown activation 'geluu'", "nearest: gelu"});
  expect_run_refused("model.name=small_cn", 2, {"unknown model 'small_cn'", "small_cnn"});
  expect_run_refused("data.name=cifar", 2, {"unknown data set 'cifar'", "cifar10"});
  expect_run_refused("optimizer.name=sgdd", 2, {"unknown optimizer 'sgdd'", "sgd"});
  expect_run_refused("schedule.name=cosin", 2, {"unknown schedule 'cosin'", "cosine"});
  expect_run_refused("train.epoch=1", 2, {"'train.epoch'", "nearest: epochs"});
  expect_run_refused("gemm=foo", 2, {"gemm", "onednn", "found foo"});
  expect_run_refused("gemm=cudnn device=cpu", 2, {"gemm = \"cudnn\"", "CUDA devices", "device = \"cpu\""});
}

TEST(CliRefusals, ValuesOutOfRange) {
  expect_run_refused("data.batch=0", 2, {"data.batch", ">= 1"});
  expect_run_refused("data.batch=1025", 2, {"data.batch = 1025", "1 to 1024"});
  expect_run_refused("data.size=3", 2, {"data.size", "[4, 256]"});
  expect_run_refused("optimizer.lr=nan", 2, {"optimizer.lr", "nan"});
  expect_run_refused("optimizer.lr=0,1", 2, {"optimizer.lr", "0,1"});
  expect_run_refused("train.epochs=two", 2, {"train.epochs", "integer", "two"});
  expect_run_refused("threads=5000000000", 2, {"threads", "4096"});
  expect_run_refused("train.epochs", 2, {"key=value"});
  expect_run_refused("train.label_smoothing=1", 2, {"train.label_smoothing", "[0, 1)"});
  expect_run_refused("train.clip_norm=-1", 2, {"train.clip_norm", ">= 0"});
  expect_run_refused("train.target_loss=-1", 2, {"train.target_loss", ">= 0"});
  expect_run_refused("train.target=0.5 train.target_loss=2", 2,
                     {"train.target = 0.5", "train.target_loss = 2"});
  expect_run_refused("train.accumulate=0", 2, {"train.accumulate", "[1, "});
  expect_run_refused("data.batch=100 train.accumulate=3", 2, {"train.accumulate = 3", "data.batch = 100"});
  expect_run_refused("optimizer.name=adamw optimizer.beta2=1", 2, {"optimizer.beta2", "[0, 1)"});
  expect_run_refused("optimizer.name=adamw optimizer.eps=0", 2, {"optimizer.eps", ">= 1e-20"});
  expect_run_refused("schedule.name=step", 2, {"schedule.every", "schedule.at", "neither"});
  expect_run_refused("schedule.name=one_cycle schedule.pct_start=1.5", 2, {"schedule.pct_start", "[0, 1]"});
}

TEST(CliRefusals, WhatThePartsCannotDo) {
  // The second job of the sweep is refused before the first has begun.
  expect_run_refused("sweep.activation=relu,geglu", 2, {"'geglu' is gated", "bert_ffn"});
  expect_run_refused("sweep.data.batch=64,2000", 2, {"data.batch = 2000"});
}

TEST(CliRefusals, DataThatIsMissingOrDamaged) {
  const ActlabProgram actlab;
  actlab.write("e.toml",
               "[data]\nname = \"cifar10\"\nbatch = 2\n[train]\nsteps = 1\n[model]\nwidths = [2, 2]\n");
  const auto refused = [&](std::initializer_list<std::string> fragments) {
    expect_refusal(actlab.run("run e.toml data.root=."), 3, fragments);
    EXPECT_FALSE(fs::exists(actlab.folder() / "runs"));
  };
  expect_refusal(actlab.run("run e.toml data.root=nowhere"), 3,
                 {"nowhere", "cs.toronto.edu", "data.root=DIR"});
  refused({"no data_batch_1.bin", "data.root=DIR"});
  write_cifar(actlab);
  EXPECT_EQ(actlab.run("run e.toml data.root=. run.root=sound").code, 0);
  actlab.write("data_batch_3.bin", cifar_record(1) + cifar_record(2).substr(0, 1000));
  refused({"data_batch_3.bin", "record 1", "1000 of 3073"});
  actlab.write("data_batch_3.bin", cifar_record(1) + cifar_record(10));
  refused({"data_batch_3.bin", "label 10 of record 1"});
  fs::remove(actlab.folder() / "data_batch_3.bin");
  refused({"data_batch_3.bin", "No such file"});
}

TEST(CliRefusals, RunRootBelowAFile) {
  const ActlabProgram actlab;
  actlab.write("file", "");
  expect_refusal(actlab.run(smoke + "run.root=file/runs"), 1,
                 {"file/runs", "Not a directory", "run.root=FOLDER"});
}

TEST(CliRefusals, RunRootWithoutPermission) {
  const ActlabProgram actlab;
  const fs::path locked = actlab.folder() / "locked";
  fs::create_directory(locked);
  fs::permissions(locked, fs::perms(0555));
  fs::permissions(actlab.folder(), fs::perms(0755));
  std::string as_nobody;
  if (geteuid() == 0) {
    as_nobody = "setpriv --reuid=65534 --clear-groups --";
    if (actlab.run("--version", as_nobody).code != 0)
      GTEST_SKIP() << "root may write everywhere, and setpriv cannot run the program as somebody else";
  }
  expect_refusal(actlab.run(smoke + "run.root=locked/runs", as_nobody), 1,
                 {"locked/runs", "Permission denied", "run.root=FOLDER"});
}

TEST(CliRefusals, Usage) {
  const ActlabProgram actlab;
  expect_refusal(actlab.run(""), 2, {"--help"});
  expect_refusal(actlab.run("evalute"), 2, {"unknown verb 'evalute'", "nearest: evaluate", "--help"});
  expect_refusal(actlab.run("run"), 2, {"config is required"});
  expect_refusal(actlab.run("list --formt json"), 2, {"unknown option '--formt'", "nearest: --format"});
  expect_refusal(actlab.run("bench step --repeat=3"), 2,
                 {"unknown option '--repeat'", "nearest: --repeats,"});
  expect_refusal(actlab.run("list --format jsn"), 2, {"--format", "unknown format 'jsn'", "nearest: json,"});
  expect_refusal(actlab.run("list models keys"), 2, {"not expected: keys"});
  expect_refusal(actlab.run("bench"), 2, {"required"});
  expect_refusal(actlab.run("bench stp"), 2, {"unknown verb 'bench stp'", "nearest: step", "bench --help"});
  expect_refusal(actlab.run("bench --foo step"), 2, {"--foo"});
  expect_refusal(actlab.run("list activation"), 2, {"'activation'", "nearest: activations"});
  expect_refusal(actlab.run("check geluu"), 2, {"'geluu'", "gelu"});
  expect_refusal(actlab.run("bench step --model foo --repeats 1"), 2, {"unknown model 'foo'"});
  expect_refusal(actlab.run("bench step --batch 0"), 2, {"--batch"});
  expect_refusal(actlab.run("bench step --activation geglu"), 2, {"'geglu'"});
  expect_refusal(actlab.run("bench ffn --width 0"), 2, {"--width"});
  expect_refusal(actlab.run("bench ffn --activation gleu"), 2, {"'gleu'", "gelu"});
  expect_refusal(actlab.run("bench kernel --dtype i32"), 2, {"i32", "bf16"});
  expect_refusal(actlab.run("bench kernel --activation 'swish(learned=layer)'"), 2, {"is learned"});
}

TEST(CliRefusals, CompareWithoutRuns) {
  const ActlabProgram actlab;
  fs::create_directory(actlab.folder() / "empty");
  expect_refusal(actlab.run("compare empty"), 2, {"no runs to compare", "actlab run"});
  expect_refusal(actlab.run("compare none"), 2, {"none: no such folder"});
}

TEST(CliRefusals, CompareOfDamagedRunsOnly) {
  const ActlabProgram actlab;
  fs::create_directories(actlab.folder() / "runs" / "one");
  actlab.write("runs/one/summary.json", "{\"status\": \"do");
  const Outcome outcome = actlab.run("compare runs");
  EXPECT_EQ(outcome.code, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find("one/summary.json: is damaged"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("actlab: compare: every run there is damaged (1)"), std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace actlab
