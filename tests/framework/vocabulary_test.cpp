// Choosing symbols, numbering them, and keeping them in a file.
#include "framework/data/vocabulary.h"

#include <gtest/gtest.h>

#include "tests/support/message_of.h"

namespace actlab {
namespace {

Vocabulary vocabulary_of(SymbolKind kind, std::string_view text, std::int64_t most = 0) {
  const Symbols symbols = cut_symbols(kind, text);
  return Vocabulary::most_frequent(symbols, symbols.text.size(), most);
}

std::vector<std::string> spellings_of(const Vocabulary& vocabulary) {
  std::vector<std::string> list;
  for (std::int32_t i = 0; i < vocabulary.size(); ++i) list.emplace_back(vocabulary.spelling(i));
  return list;
}

using List = std::vector<std::string>;
using Tokens = std::vector<std::int32_t>;

TEST(Vocabulary, TheMostFrequentComeFirstThenTheSpecialTokens) {
  EXPECT_EQ(spellings_of(vocabulary_of(SymbolKind::character, "cabbac")),
            (List{"a", "b", "c", "<mask>", "<pad>"}));
  EXPECT_EQ(spellings_of(vocabulary_of(SymbolKind::word, "a dog a cat dog a")),
            (List{"a", "dog", "cat", "<unk>", "<mask>", "<pad>"}));
  const Vocabulary cut = vocabulary_of(SymbolKind::character, "cabbacaab", 2);
  EXPECT_EQ(spellings_of(cut), (List{"a", "b", "<unk>", "<mask>", "<pad>"}));
  EXPECT_EQ(cut.symbols(), 2);
  EXPECT_EQ(cut.size(), 5);
  EXPECT_EQ(cut.unknown(), 2);
  EXPECT_EQ(cut.mask(), 3);
  EXPECT_EQ(cut.pad(), 4);
  EXPECT_EQ(vocabulary_of(SymbolKind::byte, "ab").unknown(), std::nullopt);
}

TEST(Vocabulary, OfWordsHasAtMostSoMany) {
  std::string text;
  for (int i = 0; i < Vocabulary::default_words + 100; ++i) text += concat('w', i, ' ');
  EXPECT_EQ(vocabulary_of(SymbolKind::word, text).symbols(), Vocabulary::default_words);
  EXPECT_EQ(vocabulary_of(SymbolKind::word, text, 10000).symbols(), Vocabulary::default_words + 100);
}

TEST(Vocabulary, KnowsThePartOfTheTextOnly) {
  const Symbols text = cut_symbols(SymbolKind::word, "a b b c c c d");
  const Vocabulary vocabulary = Vocabulary::most_frequent(text, 3, 0);
  EXPECT_EQ(spellings_of(vocabulary), (List{"b", "a", "<unk>", "<mask>", "<pad>"}));
  EXPECT_EQ(vocabulary.encode(text, "test"), (Tokens{1, 0, 0, 2, 2, 2, 2}));
}

TEST(Vocabulary, TheUnknownWordOfATextIsTheUnknownToken) {
  const Vocabulary vocabulary = vocabulary_of(SymbolKind::word, "<unk> <unk> a <mask>");
  EXPECT_EQ(spellings_of(vocabulary), (List{"<", ">", "a", "mask", "<unk>", "<mask>", "<pad>"}));
  EXPECT_EQ(vocabulary.encode(cut_symbols(SymbolKind::word, "<unk> <mask> <pad>"), "test"),
            (Tokens{4, 0, 3, 1, 0, 4, 1}));
  EXPECT_EQ(vocabulary.token("mask"), 3);
  EXPECT_EQ(vocabulary.token("<unk>"), 4);
  EXPECT_EQ(vocabulary.token("<mask>"), 4);
}

TEST(Vocabulary, SaysWhereASymbolHasNoToken) {
  const Vocabulary characters = vocabulary_of(SymbolKind::character, "abc\n");
  EXPECT_EQ(characters.token("d"), std::nullopt);
  const std::string message =
      message_of([&] { characters.encode(cut_symbols(SymbolKind::character, "ab\nabé"), "text: a.txt"); });
  EXPECT_EQ(message,
            "text: a.txt: line 2, byte 5: the character 'é' is not in the vocabulary: train with "
            "data.vocabulary_size=4, which makes it <unk>");
  const Vocabulary bytes = vocabulary_of(SymbolKind::byte, "abc");
  EXPECT_EQ(message_of([&] { bytes.encode(cut_symbols(SymbolKind::byte, "é"), "x"); }),
            "x: line 1, byte 0: the byte '\\xC3' is not in the vocabulary: train with "
            "data.vocabulary_size=3, which makes it <unk>");
  EXPECT_THROW(bytes.encode(cut_symbols(SymbolKind::byte, "d"), "x"), DataError);
  const Vocabulary cut = vocabulary_of(SymbolKind::byte, "aab", 1);
  EXPECT_EQ(cut.encode(cut_symbols(SymbolKind::byte, "abc"), "x"), (Tokens{0, 1, 1}));
}

TEST(VocabularyFile, IsReadable) {
  EXPECT_EQ(vocabulary_of(SymbolKind::character, "aaa\n\n\n\\\\ é\x7f").to_text(),
            "actlab-vocabulary 1 character 6\n\\n\na\n\\\\\n\\x20\n\\x7F\né\n");
  EXPECT_EQ(vocabulary_of(SymbolKind::byte, "é", 9).to_text(),
            "actlab-vocabulary 1 byte 2 <unk>\n\\xA9\n\\xC3\n");
  EXPECT_EQ(vocabulary_of(SymbolKind::word, "don't").to_text(), "actlab-vocabulary 1 word 1 <unk>\ndon't\n");
}

TEST(VocabularyFile, GivesTheSameVocabulary) {
  const std::string text =
      "\t\n\r \\n \\ \\x41 é 😀 \xef\xbb\xbf \xc2\x85 \xe2\x80\xa8 \x01 <mask> <pad> <unk> don’t a-b # \"x\" "
      "' ''";
  for (const SymbolKind kind : {SymbolKind::byte, SymbolKind::character, SymbolKind::word})
    for (const std::int64_t most : {0, 3, 1000}) {
      const Vocabulary vocabulary = vocabulary_of(kind, text, most);
      const Vocabulary read = Vocabulary::from_text(vocabulary.to_text(), "test");
      EXPECT_EQ(read.kind(), kind);
      EXPECT_EQ(read.unknown(), vocabulary.unknown());
      EXPECT_EQ(spellings_of(read), spellings_of(vocabulary));
      EXPECT_EQ(read.to_text(), vocabulary.to_text());
      const Symbols symbols = cut_symbols(kind, text);
      EXPECT_EQ(read.encode(symbols, "test"), vocabulary.encode(symbols, "test"));
    }
}

TEST(VocabularyFile, EachDamageIsToldWithItsLine) {
  struct Case {
    const char* text;
    const char* message;
  };
  for (const auto& [text, message] : {
           Case{"", "line 1: the file ends here"},
           {"actlab-vocabulary 1 word 0", "line 1: the line is cut"},
           {"word 1\na\n", "line 1: wanted 'actlab-vocabulary 1"},
           {"actlab-vocabulary 1 words 1\na\n", "line 1: wanted 'actlab-vocabulary 1"},
           {"actlab-vocabulary 1 word one\na\n", "line 1: wanted 'actlab-vocabulary 1"},
           {"actlab-vocabulary 1 word -1\n", "line 1: wanted 'actlab-vocabulary 1"},
           {"actlab-vocabulary 1 word 1 <mask>\na\n", "line 1: wanted 'actlab-vocabulary 1"},
           {"actlab-vocabulary 1 word 1 <unk> x\na\n", "line 1: wanted 'actlab-vocabulary 1"},
           {"actlab-vocabulary 2 word 1\na\n", "line 1: version 2"},
           {"actlab-vocabulary 1 word 2\na\n", "line 3: the file ends here"},
           {"actlab-vocabulary 1 word 2\na\nb", "line 3: the line is cut"},
           {"actlab-vocabulary 1 word 1\na\nb\n", "line 3: more lines than the 1 symbols"},
           {"actlab-vocabulary 1 word 2\na\na\n", "line 3: 'a' stands in an earlier line"},
           {"actlab-vocabulary 1 word 2\na\n\n", "line 3: no symbol"},
           {"actlab-vocabulary 1 word 1\na b\n", "line 2: more than one symbol"},
           {"actlab-vocabulary 1 word 1\na,\n", "line 2: more than one symbol"},
           {"actlab-vocabulary 1 word 1\n\\x20a\n", "line 2: more than one symbol"},
           {"actlab-vocabulary 1 word 1\n<unk>\n", "line 2: <unk> belongs into the first line"},
           {"actlab-vocabulary 1 character 1\nab\n", "line 2: more than one symbol"},
           {"actlab-vocabulary 1 character 1\n\\xE9\n", "line 2: no UTF-8"},
           {"actlab-vocabulary 1 byte 1\n\\x00\n", "line 2: a NUL"},
           {"actlab-vocabulary 1 byte 1\n\\t\n", "line 2: an escape"},
           {"actlab-vocabulary 1 byte 1\n\\x4\n", "line 2: an escape"},
           {"actlab-vocabulary 1 byte 1\n\\x4g\n", "line 2: an escape"},
           {"actlab-vocabulary 1 byte 1\n\\x-1\n", "line 2: an escape"},
           {"actlab-vocabulary 1 byte 1\n\\\n", "line 2: an escape"},
       }) {
    EXPECT_THROW(Vocabulary::from_text(text, "v.txt"), DataError) << text;
    const std::string found = message_of([text = text] { Vocabulary::from_text(text, "v.txt"); });
    EXPECT_TRUE(found.starts_with(concat("v.txt: ", message))) << found;
    EXPECT_EQ(found.find('\n'), std::string::npos) << found;
  }
}

}  // namespace
}  // namespace actlab
