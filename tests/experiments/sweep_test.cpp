// Sweeps: which experiments a file and its arguments describe, and in which order.
#include "tests/experiments/experiment_files.h"

namespace actlab {
namespace {

// "relu/0 relu/1": activation and seed of each experiment.
std::string jobs(const std::string& text, const std::vector<std::string>& arguments = {}) {
  std::string result;
  for (const auto& e : load(text, arguments))
    result += (result.empty() ? "" : " ") + e.activation + "/" + std::to_string(e.seed);
  return result;
}

const std::string both = "[sweep]\nactivation = [\"relu\", \"gelu\"]\nseed = \"0..1\"\n";

TEST(Sweep, TheFileOrdersItsKeys) {
  EXPECT_EQ(jobs(both), "relu/0 relu/1 gelu/0 gelu/1");
  EXPECT_EQ(jobs("[sweep]\nseed = [3, 1]\nactivation = [\"relu\", \"gelu\"]\n"),
            "relu/3 gelu/3 relu/1 gelu/1");
}

TEST(Sweep, ArgumentsReplaceAndRemove) {
  EXPECT_EQ(jobs(both, {"sweep.seed=5,7..8"}), "relu/5 relu/7 relu/8 gelu/5 gelu/7 gelu/8");
  EXPECT_EQ(jobs(both, {"sweep.seed="}), "relu/0 gelu/0");
  EXPECT_EQ(jobs(both, {"activation=silu"}), "silu/0 silu/1");
  EXPECT_EQ(jobs(both, {"model.activation=silu", "seed=4"}), "silu/4");
  EXPECT_EQ(jobs(both, {"sweep.activation=gelu,elu(alpha=0.5)", "sweep.seed="}), "gelu/0 elu(alpha=0.5)/0");
  EXPECT_EQ(jobs("", {"sweep.model.activation=relu,silu"}), "relu/0 silu/0");
}

TEST(Sweep, AnyDottedKeyAndListValues) {
  const auto experiments = load("[sweep]\nmodel.widths = [[8], [8, 16]]\noptimizer.lr = [0.1, 1]\n");
  ASSERT_EQ(experiments.size(), 4u);
  EXPECT_EQ(experiments[0].model.options.integers("widths").size(), 1u);
  EXPECT_EQ(experiments[3].model.options.integers("widths").size(), 2u);
  EXPECT_EQ(experiments[3].optimizer.options.number("lr"), 1.0);
  EXPECT_EQ(load("", {"sweep.model.widths=[8],[8,16]"}).size(), 2u);
}

TEST(Sweep, WhatResolvesToTheSameRunsOnce) {
  EXPECT_EQ(jobs("[sweep]\nactivation = [\"elu\", \"elu(alpha=1)\", \"elu\"]\n"), "elu(alpha=1)/0");
  EXPECT_EQ(jobs("", {"sweep.activation=elu,relu", "sweep.activation.elu.alpha=1,2"}),
            "elu(alpha=1)/0 elu(alpha=2)/0 relu/0");
}

TEST(Sweep, ComponentsMayBeSwept) {
  const auto experiments = load("[sweep]\nmodel.name = [\"small_cnn\", \"mlp\"]\n");
  ASSERT_EQ(experiments.size(), 2u);
  EXPECT_EQ(experiments[1].model.options.integer("hidden"), 128);
  // An option is its own component's.
  const auto own = load("[model]\nwidths = [8, 8]\n[sweep]\nmodel.name = [\"small_cnn\", \"mlp\"]\n");
  ASSERT_EQ(own.size(), 2u);
  EXPECT_EQ(own[0].model.options.integers("widths"), (std::vector<std::int64_t>{8, 8}));
  EXPECT_EQ(own[1].model.options.integer("hidden"), 128);
}

TEST(Sweep, EveryExperimentIsCheckedFirst) {
  EXPECT_EQ(refusal("[sweep]\nseed = [0,\n  -1]\n"), "e.toml:3: seed: wanted integer >= 0, found -1");
  EXPECT_EQ(refusal("", {"sweep.activation=relu,geluu"}).substr(0, 46),
            "argument 'sweep.activation=relu,geluu': unknow");
  EXPECT_EQ(refusal("[sweep]\nseeds = [0]\n").substr(0, 40), "e.toml:2: unknown key 'seeds', nearest: ");
  EXPECT_EQ(refusal("[sweep]\nseed = 3\n"), "e.toml:2: sweep.seed: wanted a list or a range \"0..4\"");
  EXPECT_EQ(refusal("[sweep]\nseed = []\n"), "e.toml:2: sweep.seed: wanted at least one value");
  for (const char* range : {"4..0", "0..", "..4", "0..4..5", "-1..2", "0..99999999999", "a..b"})
    EXPECT_EQ(
        refusal("", {std::string("sweep.seed=") + range}),
        concat("argument 'sweep.seed=", range,
               "': sweep.seed: wanted a range such as 0..4 of at most 10000 integers >= 0, found ", range));
  EXPECT_EQ(refusal("", {"sweep.seed=0..999", "sweep.train.epochs=1..999"}),
            "e.toml: the sweep has more than 10000 experiments");
}

TEST(Sweep, ResolvedExperimentsKeepNoSweep) {
  for (const auto& experiment : load(both)) EXPECT_EQ(to_toml(experiment).find("sweep"), std::string::npos);
}

}  // namespace
}  // namespace actlab
