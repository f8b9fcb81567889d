// The program trains models of text, keeps their vocabulary, and scores other texts with it.
#include <cmath>
#include <nlohmann/json.hpp>

#include "framework/train/safetensors.h"
#include "tests/support/actlab_program.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A few updates of a small encoder on generated sentences.
const std::string base =
    "run '" ACTLAB_SOURCE_DIR
    "/experiments/configs/text_encoder_activations.toml' model.d=16 model.d_ff=32 model.layers=1 "
    "data.batch=4 "
    "data.window=16 data.sentences=200 train.steps=6 train.eval_every=3 sweep.seed=0 --format json ";
const std::string one_job = base + "sweep.activation=geglu ";

json parsed(const std::string& text) { return json::parse(text, nullptr, false); }

fs::path only_run(const ActlabProgram& actlab) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(actlab.folder() / "runs" / "text_encoder_activations"))
    found.push_back(entry.path());
  EXPECT_EQ(found.size(), 1u);
  return found.front();
}

TEST(CliText, TrainsAndComparesByLoss) {
  const ActlabProgram actlab;
  const Outcome outcome = actlab.run(base + "sweep.activation=relu,geglu");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const json table = parsed(outcome.out);
  ASSERT_EQ(table.size(), 2u) << outcome.out;
  EXPECT_EQ(table[1]["activation"], "geglu");
  for (const json& row : table) {
    EXPECT_LT(row["loss_mean"], std::log(300.0));  // better than a guess among all words
    EXPECT_NEAR(row["perplexity"], std::exp(row["loss_mean"].get<double>()), 1e-9);
    EXPECT_GT(row["tokens_per_second"], 0);
    EXPECT_GT(row["ffn_bytes"], 0);
    EXPECT_GT(row["attention_bytes"], 0);
    EXPECT_FALSE(row.contains("images_per_second"));
  }
  EXPECT_EQ(table[0]["activation_bytes"], 0);
  EXPECT_NEAR(table[1]["delta"], table[1]["loss_mean"].get<double>() - table[0]["loss_mean"].get<double>(),
              1e-9);
  EXPECT_NE(outcome.err.find("perplexity"), std::string::npos) << outcome.err;
}

TEST(CliText, RunKeepsItsVocabularyAndIsEvaluatedWithIt) {
  const ActlabProgram actlab;
  ASSERT_EQ(actlab.run(one_job + "data.vocabulary=character data.vocabulary_size=0").code, 0);
  const fs::path run = only_run(actlab);
  ASSERT_TRUE(fs::exists(run / "vocabulary.txt"));
  const json summary = parsed(read_file(run / "summary.json"));

  const std::string evaluate = "evaluate '" + run.string() + "' --format json ";
  const Outcome same = actlab.run(evaluate);
  ASSERT_EQ(same.code, 0) << same.err;
  EXPECT_EQ(parsed(same.out)["loss"], summary["loss"]);
  EXPECT_EQ(parsed(same.out)["accuracy"], summary["accuracy"]);

  const fs::path other =
      actlab.write("other.txt", "the cats sleep . the dog chases the cats .\nthe dogs sleep .\n");
  const Outcome scored =
      actlab.run(evaluate + "data.test=1 data.validation=0 data.file='" + other.string() + "'");
  ASSERT_EQ(scored.code, 0) << scored.err;
  EXPECT_TRUE(std::isfinite(parsed(scored.out)["loss"].get<double>()));

  const fs::path strange = actlab.write("strange.txt", "the cats sleep ; \xC3\xA9 .\n the dogs sleep .\n");
  expect_refusal(actlab.run(evaluate + "data.test=1 data.validation=0 data.file='" + strange.string() + "'"),
                 3, {"strange.txt", ";", "vocabulary_size"});
}

TEST(CliText, TraceHoldsWhatIsAskedAndWhere) {
  const ActlabProgram actlab;
  ASSERT_EQ(actlab.run(one_job + "--trace step.safetensors").code, 0);
  std::map<std::string, NamedArray> arrays;
  for (NamedArray& array : read_safetensors(actlab.folder() / "step.safetensors").arrays)
    arrays[array.name] = std::move(array);
  EXPECT_EQ(arrays.at("input").shape, (Shape{4, 16}));
  EXPECT_EQ(arrays.at("lengths").shape, (Shape{4}));
  EXPECT_EQ(arrays.at("places").shape, (Shape{4 * 2}));  // 15 % of 16 tokens, rounded
  EXPECT_EQ(arrays.at("labels").shape, (Shape{4 * 2}));
  EXPECT_EQ(arrays.at("gradient.block1.ffn.gate_up.weight").shape, (Shape{2 * 24, 16}));
}

TEST(CliText, RefusesTextsThatCannotBeLearned) {
  const ActlabProgram actlab;
  const auto refuse = [&](const std::string& content, const std::string& settings, int code,
                          std::initializer_list<std::string> fragments) {
    const fs::path file = actlab.write("text.txt", content);
    expect_refusal(actlab.run(one_job + "data.file='" + file.string() + "' " + settings), code, fragments);
    EXPECT_FALSE(fs::exists(actlab.folder() / "runs"));
  };
  refuse("", "", 3, {"text.txt", "empty"});
  refuse(std::string("PK\x03\x04\0\0", 6), "", 3, {"text.txt", "binary"});
  refuse("caf\xE9 au lait", "", 3, {"text.txt", "0xE9", "UTF-8"});
  refuse("three words only", "", 3, {"text.txt", "window"});
  refuse(std::string(4000, 'a'), "data.vocabulary=character data.vocabulary_size=0", 3, {"text.txt"});
  expect_refusal(actlab.run(one_job + "model.heads=3"), 2, {"3", "16"});
  expect_refusal(actlab.run(one_job + "data.augment=true"), 2, {"augment"});
  expect_refusal(actlab.run(one_job + "data.file=nowhere.txt"), 3, {"nowhere.txt"});
  expect_refusal(actlab.run(one_job + "train.target=0.5 train.target_loss=2"), 2, {"target_loss"});
}

}  // namespace
}  // namespace actlab
