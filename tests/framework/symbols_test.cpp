// Cutting texts into bytes, characters and words, and what is valid UTF-8.
#include "framework/data/symbols.h"

#include <gtest/gtest.h>

#include "framework/data/utf8.h"
#include "kernels/error.h"
#include "kernels/random.h"

namespace actlab {
namespace {

std::vector<std::string> spelled(SymbolKind kind, std::string_view text) {
  const Symbols symbols = cut_symbols(kind, text);
  std::vector<std::string> list;
  for (const std::int32_t number : symbols.text)
    list.push_back(symbols.distinct[static_cast<std::size_t>(number)]);
  return list;
}

using Words = std::vector<std::string>;

Words words_of(std::string_view text) { return spelled(SymbolKind::word, text); }

TEST(Symbols, BytesAndCharactersMakeUpTheText) {
  EXPECT_EQ(spelled(SymbolKind::byte, "a\né"), (Words{"a", "\n", "\xc3", "\xa9"}));
  EXPECT_EQ(spelled(SymbolKind::character, "a\né😀 "), (Words{"a", "\n", "é", "😀", " "}));
  EXPECT_EQ(spelled(SymbolKind::character, "<unk>"), (Words{"<", "u", "n", "k", ">"}));
}

TEST(Symbols, WordsAreCutAtSpaceAndPunctuation) {
  EXPECT_EQ(words_of("The dog, he said, \"runs\"."),
            (Words{"The", "dog", ",", "he", "said", ",", "\"", "runs", "\"", "."}));
  EXPECT_EQ(words_of(" a\t b\r\n\n c\v\fd "), (Words{"a", "b", "\n", "\n", "c", "d"}));
  EXPECT_EQ(words_of("3.14 @-@ x_y"), (Words{"3", ".", "14", "@", "-", "@", "x", "_", "y"}));
  EXPECT_EQ(words_of("naïve — “Ärger”…"), (Words{"naïve", "—", "“", "Ärger", "”", "…"}));
  EXPECT_EQ(words_of(""), Words{});
  EXPECT_EQ(words_of("  "), Words{});
}

TEST(Symbols, ApostrophesAndHyphensJoinLetters) {
  EXPECT_EQ(words_of("don't don’t well-known o'er-ripe"),
            (Words{"don't", "don’t", "well-known", "o'er-ripe"}));
  EXPECT_EQ(words_of("'tis dogs' - a-"), (Words{"'", "tis", "dogs", "'", "-", "a", "-"}));
  EXPECT_EQ(words_of("a--b a'-b"), (Words{"a", "-", "-", "b", "a", "'", "-", "b"}));
  EXPECT_EQ(words_of("a-\nb a-"), (Words{"a", "-", "\n", "b", "a", "-"}));
}

TEST(Symbols, TheUnknownWordIsOneAndTheMaskIsNot) {
  EXPECT_EQ(words_of("the <unk> <unk>s x<unk> <mask> <pad>"),
            (Words{"the", "<unk>", "<unk>", "s", "x", "<unk>", "<", "mask", ">", "<", "pad", ">"}));
}

TEST(Symbols, AreNumberedByFirstOccurrence) {
  const Symbols symbols = cut_symbols(SymbolKind::word, "b a b ccc a");
  EXPECT_EQ(symbols.distinct, (Words{"b", "a", "ccc"}));
  EXPECT_EQ(symbols.text, (std::vector<std::int32_t>{0, 1, 0, 2, 1}));
  EXPECT_EQ(symbols.count(), 5);
}

TEST(Symbols, AByteOrderMarkIsPassedOverAtTheBeginningOnly) {
  for (const SymbolKind kind : {SymbolKind::byte, SymbolKind::character, SymbolKind::word})
    EXPECT_EQ(spelled(kind,
                      "\xef\xbb\xbf"
                      "a"),
              Words{"a"})
        << name_of(kind);
  EXPECT_EQ(spelled(SymbolKind::character, "a\xef\xbb\xbf"), (Words{"a", "\xef\xbb\xbf"}));
}

TEST(Symbols, HavePlaces) {
  const Symbols symbols = cut_symbols(SymbolKind::character,
                                      "\xef\xbb\xbf"
                                      "é\nab\nc");
  const TextPlace first = place_of(symbols, 0);
  EXPECT_EQ(first.line, 1U);
  EXPECT_EQ(first.byte, 3U);
  const TextPlace last = place_of(symbols, 5);
  EXPECT_EQ(last.line, 3U);
  EXPECT_EQ(last.byte, 9U);
}

TEST(Symbols, KindsHaveNames) {
  for (const SymbolKind kind : {SymbolKind::byte, SymbolKind::character, SymbolKind::word})
    EXPECT_EQ(parse_symbol_kind(name_of(kind)), kind);
  EXPECT_THROW(parse_symbol_kind("char"), ConfigError);
}

// By the table of well-formed sequences, Unicode 15, 3.9, table 3-7.
bool is_well_formed(const std::string& s) {
  const auto at = [&](std::size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0; };
  const auto in = [&](std::size_t i, int low, int high) { return at(i) >= low && at(i) <= high; };
  if (s.size() == 1) return at(0) < 0x80;
  if (s.size() == 2) return in(0, 0xc2, 0xdf) && in(1, 0x80, 0xbf);
  if (s.size() == 3) {
    const int low = at(0) == 0xe0 ? 0xa0 : 0x80;
    const int high = at(0) == 0xed ? 0x9f : 0xbf;
    return in(0, 0xe0, 0xef) && in(1, low, high) && in(2, 0x80, 0xbf);
  }
  const int low = at(0) == 0xf0 ? 0x90 : 0x80;
  const int high = at(0) == 0xf4 ? 0x8f : 0xbf;
  return in(0, 0xf0, 0xf4) && in(1, low, high) && in(2, 0x80, 0xbf) && in(3, 0x80, 0xbf);
}

TEST(Utf8, KnowsTheWellFormedSequences) {
  // All first and second bytes, and such third and fourth ones as stand at a border.
  const std::string borders = "\x41\x7f\x80\x9f\xa0\xbf\xc0\xff";
  for (int first = 0; first < 256; ++first) {
    const std::string one(1, static_cast<char>(first));
    EXPECT_EQ(utf8_character(one), is_well_formed(one) ? 1U : 0U) << first;
    if (first < 0x80) continue;
    for (int second = 0; second < 256; ++second) {
      const std::string two = one + static_cast<char>(second);
      ASSERT_EQ(utf8_character(two), is_well_formed(two) ? 2U : 0U) << first << ' ' << second;
      if (is_well_formed(two)) continue;
      for (const char third : borders) {
        const std::string three = two + third;
        ASSERT_EQ(utf8_character(three), is_well_formed(three) ? 3U : 0U) << first << ' ' << second;
        if (is_well_formed(three)) continue;
        for (const char fourth : borders) {
          const std::string four = three + fourth;
          ASSERT_EQ(utf8_character(four), is_well_formed(four) ? 4U : 0U) << first << ' ' << second;
        }
      }
    }
  }
  EXPECT_EQ(utf8_character(""), 0U);
}

TEST(Utf8, FindsTheFirstFaultAtAnyPlace) {
  for (std::size_t before = 0; before < 20; ++before)
    for (std::size_t after = 0; after < 20; ++after) {
      const std::string a(before, 'a');
      const std::string b(after, 'b');
      EXPECT_EQ(first_invalid_utf8(a + "é" + b), a.size() + 2 + b.size());
      EXPECT_EQ(first_invalid_utf8(a + "\xe9" + b), a.size());
      EXPECT_EQ(first_invalid_utf8(a + "é\x80" + b), a.size() + 2);
      EXPECT_EQ(first_invalid_utf8(a + b + "\xf0\x9f\x98"), a.size() + b.size());
    }
}

}  // namespace
}  // namespace actlab
