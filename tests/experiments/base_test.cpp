// Experiment files that build on others.
#include <filesystem>
#include <utility>

#include "tests/experiments/experiment_files.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

// Files in a folder, of which the first is loaded.
class Files {
 public:
  Files(std::initializer_list<std::pair<std::string, std::string>> files) : first_(files.begin()->first) {
    for (const auto& [name, text] : files) {
      std::filesystem::create_directories((folder_.path() / name).parent_path());
      folder_.write(name, text);
    }
  }

  std::vector<Experiment> load(const std::vector<std::string>& arguments = {}) const {
    return load_experiment(folder_.path() / first_, arguments, test_schemas());
  }
  // Without the folder's path.
  std::string refusal(const std::vector<std::string>& arguments = {}) const {
    std::string message = message_of([&] { load(arguments); });
    const std::string prefix = folder_.path().string() + "/";
    for (auto at = message.find(prefix); at != std::string::npos; at = message.find(prefix))
      message.erase(at, prefix.size());
    return message;
  }
  // "relu/0 relu/1": activation and seed of each experiment.
  std::string jobs(const std::vector<std::string>& arguments = {}) const {
    std::string result;
    for (const auto& e : load(arguments))
      result += (result.empty() ? "" : " ") + e.activation + "/" + std::to_string(e.seed);
    return result;
  }

 private:
  TemporaryFolder folder_;
  std::string first_;
};

TEST(Base, TheFilesOwnKeysWin) {
  const Files files{{"mine.toml", "base = \"low.toml\"\n[train]\nepochs = 5\n"},
                    {"low.toml", "seed = 3\n[train]\nepochs = 2\nsteps = 7\n[optimizer]\nlr = 0.5\n"}};
  const auto experiments = files.load();
  ASSERT_EQ(experiments.size(), 1u);
  EXPECT_EQ(experiments[0].seed, 3);
  EXPECT_EQ(experiments[0].train.epochs, 5);
  EXPECT_EQ(experiments[0].train.steps, 7);
  EXPECT_EQ(experiments[0].optimizer.options.number("lr"), 0.5);
  EXPECT_EQ(files.load({"train.epochs=9"})[0].train.epochs, 9);
  EXPECT_EQ(to_toml(experiments[0]).find("base"), std::string::npos);
}

TEST(Base, AnExperimentIsCalledAfterItsOwnFile) {
  const std::string low = "name = \"low down\"\n";
  EXPECT_EQ((Files{{"mine.toml", "base = \"low.toml\"\n"}, {"low.toml", low}}.load()[0].name), "mine");
  EXPECT_EQ((Files{{"mine.toml", "base = \"low.toml\"\nname = \"me\"\n"}, {"low.toml", low}}.load()[0].name),
            "me");
  EXPECT_EQ((Files{{"mine.toml", "base = \"low.toml\"\n"}, {"low.toml", "name = 3\n"}}.refusal()),
            "low.toml:1: name: wanted text, found 3");
}

TEST(Base, SweepsAreTakenOverReplacedAndEnded) {
  const std::string low = "[sweep]\nactivation = [\"relu\", \"gelu\"]\nseed = \"0..1\"\n";
  const auto jobs = [&](const std::string& text, const std::vector<std::string>& arguments = {}) {
    return Files{{"mine.toml", "base = \"low.toml\"\n" + text}, {"low.toml", low}}.jobs(arguments);
  };
  EXPECT_EQ(jobs(""), "relu/0 relu/1 gelu/0 gelu/1");
  EXPECT_EQ(jobs("[sweep]\nmodel.activation = [\"silu\", \"mish\"]\n"), "silu/0 silu/1 mish/0 mish/1")
      << "it keeps its place";
  EXPECT_EQ(jobs("activation = \"silu\"\n"), "silu/0 silu/1");
  EXPECT_EQ(jobs("seed = 4\n[model]\nactivation = \"silu\"\n"), "silu/4");
  EXPECT_EQ(jobs("[sweep]\nseed = []\n"), "relu/0 gelu/0");
  EXPECT_EQ(jobs("[sweep]\nseed = [5]\n", {"activation=elu(alpha=0.5)"}), "elu(alpha=0.5)/5");
  EXPECT_EQ((Files{{"mine.toml", "base = \"low.toml\"\n[sweep]\ntrain.epochs = []\n"}, {"low.toml", low}}
                 .refusal()),
            "mine.toml:3: sweep.train.epochs: wanted at least one value");
}

TEST(Base, ChainsAreReadFromTheFolderOfEachFile) {
  const Files files{{"a/mine.toml", "base = \"../b/middle.toml\"\nseed = 1\n"},
                    {"b/middle.toml", "base = \"low.toml\"\nseed = 2\n[train]\nepochs = 2\n"},
                    {"b/low.toml", "seed = 3\n[train]\nepochs = 3\nsteps = 3\n"}};
  const auto e = files.load()[0];
  EXPECT_EQ(e.seed, 1);
  EXPECT_EQ(e.train.epochs, 2);
  EXPECT_EQ(e.train.steps, 3);
  EXPECT_EQ(e.name, "mine");
  const TemporaryFolder elsewhere;
  const auto low = elsewhere.write("low.toml", "seed = 8\n");
  EXPECT_EQ((Files{{"mine.toml", "base = \"" + low.string() + "\"\n"}}.load()[0].seed), 8);
}

TEST(Base, MessagesNameTheFileThatSaysIt) {
  const auto refused = [](const std::string& mine, const std::string& low,
                          const std::vector<std::string>& arguments = {}) {
    return Files{{"mine.toml", mine}, {"d/low.toml", low}}.refusal(arguments);
  };
  const std::string base = "base = \"d/low.toml\"\n";
  EXPECT_EQ(refused(base, "\n[optimizer]\nlr = -1\n"),
            "d/low.toml:3: optimizer.lr: wanted number >= 0, found -1");
  EXPECT_EQ(refused(base + "[optimizer]\nlr = 1\n", "[optimizer]\nlr = -1\n"),
            "d/low.toml:2: optimizer.lr: wanted number >= 0, found -1")
      << "what is replaced is checked too";
  EXPECT_EQ(refused(base + "[optimizer]\nlr = -2\n", "[optimizer]\nlr = 1\n"),
            "mine.toml:3: optimizer.lr: wanted number >= 0, found -2");
  EXPECT_EQ(refused(base, "[trian]\n").substr(0, 33), "d/low.toml:1: unknown section 'tr");
  EXPECT_EQ(refused(base, "seed = 1\nseed = 2\n").substr(0, 13), "d/low.toml:2:");
  EXPECT_EQ(refused(base + "seed = 1\n", "seed = 2\n"), "no error") << "once in each";
  EXPECT_EQ(refused(base, "[sweep]\nseed = [0,\n -1]\n"),
            "d/low.toml:3: seed: wanted integer >= 0, found -1");
}

TEST(Base, WhatCannotBeABase) {
  const auto refused = [](const std::string& mine, const std::vector<std::string>& arguments = {}) {
    return Files{{"mine.toml", mine}, {"low.toml", "base = \"mine.toml\"\n"}, {"d/x.toml", ""}}.refusal(
        arguments);
  };
  EXPECT_EQ(
      refused("\nbase = \"none.toml\"\n"),
      "mine.toml:2: cannot read none.toml: No such file or directory; wanted an experiment file (.toml)");
  EXPECT_EQ(refused("base = \"d\"\n"), "mine.toml:1: d: is a folder; wanted an experiment file (.toml)");
  EXPECT_EQ(refused("base = \"\"\n"), "mine.toml:1: base: wanted an experiment file, found \"\"");
  EXPECT_EQ(refused("base = 3\n"), "mine.toml:1: base: wanted text, found 3");
  EXPECT_EQ(refused("base = \"low.toml\"\n"), "low.toml:1: base: leads back to mine.toml");
  EXPECT_EQ(refused("\nbase = \"./d/../mine.toml\"\n"), "mine.toml:2: base: leads back to mine.toml");
  EXPECT_EQ(refused("", {"base=low.toml"}),
            "argument 'base=low.toml': base: stands in an experiment file, once");
  EXPECT_EQ(refused("[sweep]\nbase = [\"low.toml\"]\n"),
            "mine.toml:2: base: stands in an experiment file, once");
  EXPECT_EQ(refused("bse = \"low.toml\"\n"), "mine.toml:1: unknown key 'bse', nearest: base, fuse, name");
}

TEST(Base, OptionsOfAReplacedComponentAreCheckedAndNotUsed) {
  const std::string cnn = "[model]\nname = \"small_cnn\"\nwidths = [8, 8]\n";
  const auto load = [](const std::string& mine, const std::string& low,
                       const std::vector<std::string>& arguments = {}) {
    return Files{{"mine.toml", "base = \"low.toml\"\n" + mine}, {"low.toml", low}}.load(arguments)[0];
  };
  const auto refused = [](const std::string& mine, const std::string& low,
                          const std::vector<std::string>& arguments = {}) {
    return Files{{"mine.toml", "base = \"low.toml\"\n" + mine}, {"low.toml", low}}.refusal(arguments);
  };
  EXPECT_EQ(load("[model]\nname = \"mlp\"\nhidden = 9\n", cnn).model.options.integer("hidden"), 9);
  EXPECT_EQ(load("[model]\nname = \"mlp\"\n", "[model]\nwidths = [8, 8]\n").model.name, "mlp")
      << "small_cnn is the base's by default";
  EXPECT_EQ(load("[model]\nwidths = [4, 4]\n", cnn, {"model.name=mlp"}).model.name, "mlp")
      << "the file's component is its base's";
  EXPECT_EQ(load("[model]\nname = \"mlp\"\n", "[model]\nhidden = 7\n").model.options.integer("hidden"), 7)
      << "a part of a file that is used for what it fits";
  EXPECT_EQ(refused("[model]\nname = \"mlp\"\n", "[model]\nwidths = 8.5\n").substr(0, 25),
            "low.toml:2: model.widths:");
  EXPECT_EQ(refused("[model]\nname = \"mlp\"\nwidths = [4, 4]\n", cnn),
            "mine.toml:4: unknown key 'model.widths': is an option of small_cnn, and model.name is mlp");
}

}  // namespace
}  // namespace actlab
