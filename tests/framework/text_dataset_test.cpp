// Parts of a text, and what its vocabulary may know.
#include "framework/data/text_dataset.h"

#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace actlab {
namespace {

TextDataset dataset(SymbolKind kind, std::string_view text, TextSettings settings) {
  return {"a.txt", "digest", cut_symbols(kind, text), std::move(settings)};
}

std::string spelled(const TextDataset& data, SplitName split) {
  std::string text;
  for (const std::int32_t token : data.tokens(split)) text += data.vocabulary().spelling(token);
  return text;
}

TEST(TextDataset, PartsFollowEachOther) {
  TextDataset data = dataset(SymbolKind::character, "abcabcabcabcabcabcab", {.window = 2, .test = 0.2});
  EXPECT_EQ(spelled(data, SplitName::train), "abcabcabcabcabca");
  EXPECT_EQ(spelled(data, SplitName::validation), "");
  EXPECT_EQ(spelled(data, SplitName::test), "bcab");
  EXPECT_EQ(data.count(SplitName::validation), 0);
  data.hold_out_validation(0.25);
  EXPECT_EQ(spelled(data, SplitName::train), "abcabcabcabc");
  EXPECT_EQ(spelled(data, SplitName::validation), "abca");
  EXPECT_EQ(spelled(data, SplitName::test), "bcab");
  EXPECT_EQ(data.count(SplitName::train), 5);  // every epoch can begin at the second token
  EXPECT_EQ(data.count(SplitName::validation), 2);
  EXPECT_EQ(data.count(SplitName::test), 2);
  const auto spec = std::get<TextSpec>(data.spec());
  EXPECT_EQ(spec.window, 2);
  EXPECT_EQ(spec.vocabulary, 5);
}

// "éé" is cut between characters, "two words" between words.
TEST(TextDataset, PartsAreCutBetweenSymbols) {
  const TextDataset characters = dataset(SymbolKind::character, "éaéaéaéaéé", {.window = 1, .test = 0.1});
  EXPECT_EQ(spelled(characters, SplitName::test), "é");
  const TextDataset words = dataset(SymbolKind::word, "two words two words", {.window = 1, .test = 0.25});
  EXPECT_EQ(spelled(words, SplitName::train), "twowordstwo");
  EXPECT_EQ(spelled(words, SplitName::test), "words");
}

TEST(TextDataset, ValidationDoesNotLeakIntoTheVocabulary) {
  TextDataset data = dataset(SymbolKind::word, "a b a b a b c c c c d d", {.window = 2, .test = 1.0 / 6});
  EXPECT_EQ(data.files().at("vocabulary.txt"), "actlab-vocabulary 1 word 3 <unk>\nc\na\nb\n");
  EXPECT_EQ(data.notes, std::vector<std::string>{"text: a.txt: 2 of the 2 test tokens (100 %) are <unk>"});
  const std::string before = data.checksum;
  data.hold_out_validation(0.4);
  EXPECT_EQ(data.files().at("vocabulary.txt"), "actlab-vocabulary 1 word 2 <unk>\na\nb\n");
  EXPECT_EQ(spelled(data, SplitName::validation), "<unk><unk><unk><unk>");
  EXPECT_EQ(data.notes,
            (std::vector<std::string>{"text: a.txt: 4 of the 4 validation tokens (100 %) are <unk>",
                                      "text: a.txt: 2 of the 2 test tokens (100 %) are <unk>"}));
  EXPECT_NE(data.checksum, before);
  EXPECT_EQ(dataset(SymbolKind::word, "a b a b", {.window = 2, .test = 0.5}).notes,
            std::vector<std::string>{});
}

TEST(TextDataset, AKeptVocabularyGivesTheSameDataAgain) {
  const std::string text = "a b b a a b b a c c c a b c";
  TextDataset built = dataset(SymbolKind::word, text, {.window = 2, .test = 0.2, .vocabulary_size = 2});
  built.hold_out_validation(0.3);
  const auto kept = Vocabulary::from_text(built.files().at("vocabulary.txt"), "kept");
  TextDataset again = dataset(SymbolKind::word, text, {.window = 2, .test = 0.2, .vocabulary = kept});
  EXPECT_EQ(again.checksum, built.checksum);
  again.hold_out_validation(0.3);
  EXPECT_EQ(again.checksum, built.checksum);
  for (const SplitName split : {SplitName::train, SplitName::validation, SplitName::test})
    EXPECT_EQ(spelled(again, split), spelled(built, split));

  TextDataset evaluated = dataset(SymbolKind::word, "c a d", {.window = 2, .test = 1, .vocabulary = kept});
  evaluated.hold_out_validation(0.3);  // as the run did
  EXPECT_EQ(evaluated.count(SplitName::validation), 0);
  EXPECT_EQ(evaluated.count(SplitName::train), 0);
  EXPECT_EQ(spelled(evaluated, SplitName::test), "<unk>a<unk>");
}

TEST(TextDataset, RefusesPartsShorterThanAWindow) {
  const auto message = [](std::string_view text, TextSettings settings, double validation = 0) {
    return message_of(
        [&] { dataset(SymbolKind::character, text, settings).hold_out_validation(validation); });
  };
  const std::string rest =
      ": take a longer text, a smaller data.window, or another data.test or data.validation";
  EXPECT_EQ(
      message("abcde", {.window = 6, .test = 0.2}),
      "text: a.txt: a part is shorter than a window of 6 characters: train has 4, validation 0, test 1" +
          rest);
  EXPECT_EQ(
      message("abababababab", {.window = 4, .test = 0.25}),
      "text: a.txt: a part is shorter than a window of 4 characters: train has 9, validation 0, test 3" +
          rest);
  EXPECT_EQ(
      message("abababababab", {.window = 3, .test = 0.25}, 0.2),
      "text: a.txt: a part is shorter than a window of 3 characters: train has 7, validation 2, test 3" +
          rest);
  EXPECT_EQ(
      message("abababababab", {.window = 3, .test = 0.25}, 0.01),
      "text: a.txt: a part is shorter than a window of 3 characters: train has 9, validation 0, test 3" +
          rest);
  EXPECT_EQ(
      message("abababababab", {.window = 3, .test = 1}),
      "text: a.txt: a part is shorter than a window of 3 characters: train has 0, validation 0, test 12" +
          rest);
  EXPECT_EQ(message("abababababab", {.window = 3, .test = 0.25}, 0.33), "no error");
  EXPECT_EQ(message("ababab", {.window = 3, .test = 0}), "no error");
  EXPECT_THROW(dataset(SymbolKind::word, "", {}), DataError);
}

TEST(TextDataset, RefusesAVocabularyThatLeavesNothingToPredict) {
  EXPECT_TRUE(message_of([] {
                dataset(SymbolKind::character, "aaaaaaaaaaaa", {.window = 2, .test = 0.2});
              }).starts_with("text: a.txt: a vocabulary of 1 character leaves nothing to predict"));
  EXPECT_THROW(dataset(SymbolKind::word, "<unk> <unk> <unk> <unk>", {.window = 1, .test = 0.5}), DataError);
  EXPECT_THROW(dataset(SymbolKind::word, "a b a b", {.window = 1, .test = 0.5, .vocabulary_size = 1}),
               DataError);
}

TEST(TextDataset, RefusesAHeldOutSymbolThatTrainingLacks) {
  EXPECT_EQ(message_of([] { dataset(SymbolKind::character, "ababab\nac", {.window = 1, .test = 0.1}); }),
            "text: a.txt: line 2, byte 8: the character 'c' is not in the vocabulary: train with "
            "data.vocabulary_size=3, which makes it <unk>");
  const TextDataset cut =
      dataset(SymbolKind::character, "ababab\nac", {.window = 1, .test = 0.1, .vocabulary_size = 3});
  EXPECT_EQ(spelled(cut, SplitName::test), "<unk>");
}

}  // namespace
}  // namespace actlab
