// The program on text: trained, evaluated by its own vocabulary, compared and traced.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "framework/train/safetensors.h"
#include "tests/support/actlab_program.h"
#include "tests/support/run_folders.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json parsed(const std::string& text) { return json::parse(text, nullptr, false); }

class CliText : public testing::Test {
 protected:
  void SetUp() override {
    actlab_.write("t.toml",
                  "[model]\nname = \"bert_ffn\"\nd = 8\nd_ff = 16\nactivation = \"gelu\"\n"
                  "[data]\nname = \"text\"\nbatch = 8\nwindow = 16\nsentences = 300\nvalidation = 0.1\n"
                  "[train]\nsteps = 4\neval_every = 2\ntarget_loss = 100\n");
  }
  fs::path only_run() const { return run_folders_in(actlab_.folder() / "runs/t").at(0); }

  ActlabProgram actlab_;
};

TEST_F(CliText, IsJudgedByLoss) {
  const Outcome outcome = actlab_.run("run t.toml --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json row = parsed(outcome.out)[0];
  const json summary = parsed(read_file(only_run() / "summary.json"));
  EXPECT_EQ(row["loss_mean"], summary["loss"]);
  EXPECT_EQ(row["perplexity"], std::exp(summary["loss"].get<double>()));
  EXPECT_EQ(row["reached"], "1/1");
  EXPECT_EQ(row["convergence_steps"], 2);
  EXPECT_GT(row["ffn_bytes"], 0);
  EXPECT_EQ(row["attention_bytes"], 0);
  EXPECT_EQ(summary["metric"], "loss");
  EXPECT_NEAR(summary["tokens_per_second"].get<double>() * summary["step_seconds"].get<double>(), 8 * 16,
              1e-6);
  EXPECT_TRUE(summary["images_per_second"].is_null());
  EXPECT_NE(outcome.err.find("  perplexity "), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("below 0 is better"), std::string::npos) << outcome.err;
}

// Other sentences have other most frequent words: their numbers are the run's only by the run's vocabulary.
TEST_F(CliText, IsEvaluatedByTheRunsOwnVocabulary) {
  ASSERT_EQ(actlab_.run("run t.toml").code, 0);
  const fs::path run = only_run();
  const json summary = parsed(read_file(run / "summary.json"));
  const std::string evaluate = "evaluate '" + run.string() + "' --format json ";
  const json scores = parsed(actlab_.run(evaluate).out);
  EXPECT_EQ(scores["loss"], summary["loss"]);
  EXPECT_EQ(scores["validation_loss"], summary["validation_loss"]);
  EXPECT_EQ(scores["perplexity"], std::exp(summary["loss"].get<double>()));

  const Outcome other = actlab_.run(evaluate + "data.seed=5 data.sentences=60");
  EXPECT_EQ(other.code, 0) << other.err;
  expect_refusal(actlab_.run(evaluate + "data.vocabulary_file=none.txt"), 3, {"none.txt", "No such file"});
  const std::string own = read_file(run / "vocabulary.txt");
  const std::size_t second = own.find('\n') + 1, third = own.find('\n', second) + 1;
  actlab_.write("swapped.txt",
                own.substr(0, second) + own.substr(third) + own.substr(second, third - second));
  const Outcome swapped = actlab_.run(evaluate + "data.vocabulary_file=swapped.txt");
  EXPECT_EQ(swapped.code, 3) << swapped.out;
  EXPECT_NE(swapped.err.find("leave data.vocabulary_file out"), std::string::npos) << swapped.err;
  const Outcome untested = actlab_.run(evaluate + "data.test=0");
  EXPECT_EQ(untested.code, 3) << untested.out;
  EXPECT_NE(untested.err.find("nothing to score: set data.test above 0"), std::string::npos) << untested.err;
  fs::remove(run / "vocabulary.txt");
  const Outcome unfit = actlab_.run(evaluate + "data.seed=5 data.sentences=60");
  EXPECT_EQ(unfit.code, 1) << unfit.err;
  EXPECT_NE(unfit.err.find("'tokens."), std::string::npos) << unfit.err;
}

// Where the norms stand and how many heads there are changes no tensor's shape: the checkpoint would load.
TEST_F(CliText, IsEvaluatedByTheModelThatWasTrained) {
  ASSERT_EQ(actlab_.run("run t.toml model.name=bert_encoder").code, 0);
  const std::string evaluate = "evaluate '" + only_run().string() + "' ";
  expect_refusal(actlab_.run(evaluate + "model.norm=pre"), 2, {"model.norm", "post"});
  expect_refusal(actlab_.run(evaluate + "model.heads=2"), 2, {"model.heads", "evaluate keeps its model"});
  EXPECT_EQ(actlab_.run(evaluate + "model.norm=post").code, 0);
}

TEST_F(CliText, TracesHoldPlacesAndLengths) {
  ASSERT_EQ(actlab_.run("run t.toml --trace t.safetensors").code, 0);
  const Safetensors trace = read_safetensors(actlab_.folder() / "t.safetensors");
  EXPECT_EQ(trace.metadata.at("layout.input"), "N,L");
  EXPECT_EQ(trace.metadata.at("layout.logits"), "M,vocabulary");
  std::map<std::string, Shape> shapes;
  for (const NamedArray& array : trace.arrays) shapes.emplace(array.name, array.shape);
  EXPECT_EQ(shapes.at("input"), (Shape{8, 16}));
  EXPECT_EQ(shapes.at("lengths"), (Shape{8}));
  EXPECT_EQ(shapes.at("places"), shapes.at("labels"));
  EXPECT_EQ(shapes.at("places"), (Shape{8 * 2}));  // 15 % of 16 are 2.4
  EXPECT_EQ(shapes.at("logits")[0], 8 * 2);
}

TEST_F(CliText, GatedArmsStandBesidePlainOnes) {
  const Outcome outcome =
      actlab_.run("run t.toml model.name=bert_encoder sweep.activation=relu,geglu --format json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json table = parsed(outcome.out);
  ASSERT_EQ(table.size(), 2u) << outcome.out;
  EXPECT_EQ(table[1]["activation"], "geglu");
  EXPECT_NEAR(table[1]["delta"], table[1]["loss_mean"].get<double>() - table[0]["loss_mean"].get<double>(),
              1e-9);
  EXPECT_EQ(table[0]["activation_bytes"], 0);
  for (const json& row : table) {
    EXPECT_LT(row["loss_mean"], std::log(241.0) - 0.1);  // better than a guess among all tokens
    EXPECT_GT(row["attention_bytes"], 0);
    EXPECT_FALSE(row.contains("images_per_second"));
  }
}

TEST_F(CliText, AnotherTextIsScoredWhole) {
  ASSERT_EQ(actlab_.run("run t.toml data.vocabulary=character").code, 0);
  const std::string evaluate =
      "evaluate '" + only_run().string() + "' --format json data.test=1 data.file=other.txt";
  actlab_.write("other.txt", "the cats sleep .\nthe dog chases the cats .\n");  // 43 characters
  const Outcome scored = actlab_.run(evaluate);
  ASSERT_EQ(scored.code, 0) << scored.err;
  EXPECT_EQ(parsed(scored.out)["windows"], 3);

  actlab_.write("other.txt", "the cats sleep .\nthe dogs; \xC3\xA9 .\n");
  expect_refusal(actlab_.run(evaluate), 3, {"other.txt", "';'", "line 2", "vocabulary_size"});
}

TEST_F(CliText, RefusesWhatCannotBeLearned) {
  const auto refuse = [&](const std::string& content, const std::string& settings,
                          std::initializer_list<std::string> fragments) {
    actlab_.write("text.txt", content);
    expect_refusal(actlab_.run("run t.toml data.file=text.txt " + settings), 3, fragments);
    EXPECT_FALSE(fs::exists(actlab_.folder() / "runs"));
  };
  refuse("", "", {"text.txt", "empty"});
  refuse(std::string("PK\x03\x04\0\0", 6), "", {"text.txt", "binary"});
  refuse("caf\xE9 au lait", "", {"text.txt", "0xE9", "UTF-8"});
  refuse("three words only", "", {"text.txt", "window"});
  refuse(std::string(4000, 'a'), "data.vocabulary=character", {"text.txt"});
  expect_refusal(actlab_.run("run t.toml data.file=nowhere.txt"), 3, {"nowhere.txt"});
  expect_refusal(actlab_.run("run t.toml data.vocabulary=byte model.name=bert_encoder model.heads=3"), 2,
                 {"3 heads", "d = 8"});
  expect_refusal(actlab_.run("run t.toml data.vocabulary=byte data.augment=true"), 2, {"augment"});
  expect_refusal(actlab_.run("run t.toml train.target=0.5"), 2, {"target_loss"});
}

}  // namespace
}  // namespace actlab
