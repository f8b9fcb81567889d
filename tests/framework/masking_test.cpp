// Which tokens are masked, and by what.
#include "framework/data/masking.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace actlab {
namespace {

// Twenty words, `<unk>` among the tokens.
Vocabulary vocabulary() {
  std::string text;
  for (char c = 'a'; c < 'a' + 20; ++c) text += {c, ' '};
  const Symbols symbols = cut_symbols(SymbolKind::word, text);
  return Vocabulary::most_frequent(symbols, symbols.text.size(), 0);
}

struct Masked {
  std::vector<std::int32_t> tokens, places;
  bool operator==(const Masked&) const = default;
};

Masked masked(const std::vector<std::int32_t>& tokens, std::uint64_t seed, std::uint64_t first = 0) {
  Masked result{tokens, std::vector<std::int32_t>(static_cast<std::size_t>(
                            masked_count(static_cast<std::int64_t>(tokens.size()))))};
  mask_tokens(Random(seed, RandomPurpose::corruption), first, vocabulary(), result.tokens, result.places);
  return result;
}

TEST(Masking, TakesFifteenPercentRounded) {
  for (const auto& [length, wanted] : {std::pair{1, 1},
                                       {2, 1},
                                       {3, 1},
                                       {9, 1},
                                       {10, 2},
                                       {16, 2},
                                       {17, 3},
                                       {64, 10},
                                       {67, 10},
                                       {128, 19},
                                       {512, 77},
                                       {1024, 154}})
    EXPECT_EQ(masked_count(length), wanted) << length;
}

TEST(Masking, PlacesRiseAndOtherTokensStay) {
  for (const int length : {1, 2, 3, 7, 10, 17, 64, 67, 255}) {
    std::vector<std::int32_t> tokens(static_cast<std::size_t>(length));
    for (std::size_t i = 0; i < tokens.size(); ++i) tokens[i] = static_cast<std::int32_t>(i % 21);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const Masked result = masked(tokens, seed);
      EXPECT_TRUE(std::is_sorted(result.places.begin(), result.places.end(), std::less_equal<>()));
      EXPECT_GE(result.places.front(), 0);
      EXPECT_LT(result.places.back(), length);
      std::vector<std::int32_t> restored = result.tokens;
      for (const std::int32_t place : result.places)
        restored[static_cast<std::size_t>(place)] = tokens[static_cast<std::size_t>(place)];
      EXPECT_EQ(restored, tokens);
    }
  }
}

// Bounds of five standard deviations throughout.
TEST(Masking, EightOfTenAreMaskedOneIsRandomOneStays) {
  const Vocabulary words = vocabulary();
  const std::vector<std::int32_t> tokens(200, 20);  // <unk>, which no random token is
  int masks = 0, kept = 0, total = 0;
  std::vector<int> random(20);
  for (std::uint64_t window = 0; window < 1000; ++window) {
    const Masked result = masked(tokens, 3, window * 200);
    for (const std::int32_t place : result.places) {
      const std::int32_t token = result.tokens[static_cast<std::size_t>(place)];
      ++total;
      masks += token == words.mask();
      kept += token == 20;
      ASSERT_NE(token, words.pad());
      if (token < 20) ++random[static_cast<std::size_t>(token)];
    }
  }
  ASSERT_EQ(total, 30000);
  EXPECT_NEAR(masks, 24000, 5 * std::sqrt(30000 * 0.8 * 0.2));
  EXPECT_NEAR(kept, 3000, 5 * std::sqrt(30000 * 0.1 * 0.9));
  EXPECT_EQ(std::accumulate(random.begin(), random.end(), 0), 30000 - masks - kept);
  for (const int count : random) EXPECT_NEAR(count, 150, 5 * std::sqrt(150));
}

TEST(Masking, EveryPlaceAndPairIsAsLikely) {
  const std::vector<std::int32_t> tokens(10, 0);
  std::vector<int> single(10), pairs(100);
  for (std::uint64_t window = 0; window < 9000; ++window) {
    const Masked result = masked(tokens, 1, window * 10);
    ASSERT_EQ(result.places.size(), 2U);
    const auto first = static_cast<std::size_t>(result.places[0]);
    const auto second = static_cast<std::size_t>(result.places[1]);
    ++single[first], ++single[second], ++pairs[first * 10 + second];
  }
  for (const int count : single) EXPECT_NEAR(count, 1800, 5 * std::sqrt(1800 * 0.8));
  for (std::size_t first = 0; first < 10; ++first)
    for (std::size_t second = first + 1; second < 10; ++second)
      EXPECT_NEAR(pairs[first * 10 + second], 200, 5 * std::sqrt(200));
}

TEST(Masking, DependsOnSeedAndFirstBlockOnly) {
  const std::vector<std::int32_t> tokens(67, 4);
  EXPECT_EQ(masked(tokens, 5, 670), masked(tokens, 5, 670));
  EXPECT_NE(masked(tokens, 5, 670).places, masked(tokens, 6, 670).places);
  EXPECT_NE(masked(tokens, 5, 670).places, masked(tokens, 5, 737).places);
}

}  // namespace
}  // namespace actlab
