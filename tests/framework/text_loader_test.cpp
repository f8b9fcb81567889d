// Batches of a text: windows, order, masks, padding, and that nothing depends on what came before.
#include "framework/data/text_loader.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "framework/data/masking.h"
#include "tests/support/message_of.h"

namespace actlab {
namespace {

// A thousand words, of which token i is i where the text is made by rising().
const Vocabulary& vocabulary() {
  static const Vocabulary words = [] {
    std::string text = "actlab-vocabulary 1 word 1000 <unk>\n";
    for (int i = 0; i < 1000; ++i) text += concat('w', i, '\n');
    return Vocabulary::from_text(text, "test");
  }();
  return words;
}

std::vector<std::int32_t> rising(std::int64_t count) {
  std::vector<std::int32_t> tokens(static_cast<std::size_t>(count));
  std::iota(tokens.begin(), tokens.end(), 0);
  return tokens;
}

struct Read {
  std::vector<std::int32_t> inputs, labels, places, lengths;
  std::int64_t samples = 0;
  bool operator==(const Read&) const = default;
};

Read load(Loader& loader, std::int64_t epoch, std::int64_t index) {
  const Batch batch = loader.load(epoch, index, find_backend("cpu"));
  EXPECT_EQ(batch.inputs.size(0), batch.lengths.count());
  EXPECT_EQ(batch.places.shape(), batch.labels.shape());
  return {batch.inputs.to_vector<std::int32_t>(), batch.labels.to_vector<std::int32_t>(),
          batch.places.to_vector<std::int32_t>(), batch.lengths.to_vector<std::int32_t>(), batch.samples};
}

std::vector<Read> load_epoch(Loader& loader, std::int64_t epoch) {
  std::vector<Read> batches;
  for (std::int64_t i = 0; i < loader.batches(); ++i) batches.push_back(load(loader, epoch, i));
  return batches;
}

// The windows with the original tokens back in their places.
std::vector<std::vector<std::int32_t>> originals(const Read& batch, std::int64_t window) {
  std::vector<std::int32_t> tokens = batch.inputs;
  for (std::size_t i = 0; i < batch.places.size(); ++i)
    tokens[static_cast<std::size_t>(batch.places[i])] = batch.labels[i];
  std::vector<std::vector<std::int32_t>> windows;
  for (auto at = tokens.begin(); at != tokens.end(); at += window) windows.emplace_back(at, at + window);
  return windows;
}

std::vector<std::int32_t> first_tokens(const std::vector<Read>& batches, std::int64_t window) {
  std::vector<std::int32_t> firsts;
  for (const Read& batch : batches)
    for (const auto& tokens : originals(batch, window)) firsts.push_back(tokens.front());
  return firsts;
}

TEST(TextLoader, EvaluationReadsTheTextInOrderAndPadsTheLastWindow) {
  const auto tokens = rising(67);
  TextLoader loader(tokens, vocabulary(), 10, {.batch = 3});
  ASSERT_EQ(loader.batches(), 3);
  std::vector<std::int32_t> read;
  for (const Read& batch : load_epoch(loader, 0))
    for (const auto& window : originals(batch, 10)) read.insert(read.end(), window.begin(), window.end());
  std::vector<std::int32_t> wanted = tokens;
  wanted.resize(70, vocabulary().pad());
  EXPECT_EQ(read, wanted);
  const Read last = load(loader, 0, 2);
  EXPECT_EQ(last.lengths, std::vector<std::int32_t>{7});
  EXPECT_EQ(last.samples, 7);
  EXPECT_EQ(last.places.size(), 1U);  // 15 % of 7
  EXPECT_LT(last.places[0], 7);
  EXPECT_EQ(load(loader, 0, 0).lengths, (std::vector<std::int32_t>{10, 10, 10}));
  EXPECT_EQ(load(loader, 0, 0).samples, 30);
}

TEST(TextLoader, PlacesRiseOverTheBatchAndEachWindowHasItsShare) {
  const auto tokens = rising(700);
  for (const std::int64_t window : {2, 3, 7, 17, 64, 67}) {
    TextLoader loader(tokens, vocabulary(), window, {.batch = 5, .training = true});
    const Read batch = load(loader, 0, 0);
    EXPECT_TRUE(std::is_sorted(batch.places.begin(), batch.places.end(), std::less_equal<>()));
    std::vector<std::int64_t> counts(5);
    for (const std::int32_t place : batch.places) ++counts.at(static_cast<std::size_t>(place / window));
    EXPECT_EQ(counts, std::vector<std::int64_t>(5, masked_count(window)));
    for (const auto& original : originals(batch, window))
      for (std::size_t i = 1; i < original.size(); ++i)
        EXPECT_EQ(original[i], original[0] + static_cast<int>(i));
  }
}

TEST(TextLoader, TrainingTakesFullWindowsAtTheEpochsOffsetInItsOrder) {
  const auto tokens = rising(997);
  TextLoader loader(tokens, vocabulary(), 10, {.batch = 16, .training = true, .seed = 7});
  std::set<std::int32_t> offsets;
  std::set<std::vector<std::int32_t>> orders;
  for (std::int64_t epoch = 0; epoch < 60; ++epoch) {
    std::vector<std::int32_t> firsts = first_tokens(load_epoch(loader, epoch), 10);
    ASSERT_EQ(std::ssize(firsts), window_count(997, 10, true));
    orders.insert(firsts);
    std::sort(firsts.begin(), firsts.end());
    offsets.insert(firsts[0]);
    for (std::size_t i = 0; i < firsts.size(); ++i)
      EXPECT_EQ(firsts[i], firsts[0] + 10 * static_cast<int>(i));
    EXPECT_LE(firsts.back() + 10, 997);
  }
  EXPECT_EQ(orders.size(), 60U);
  EXPECT_EQ(offsets, (std::set<std::int32_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(TextLoader, CountsTheWindows) {
  EXPECT_EQ(window_count(0, 10, false), 0);
  EXPECT_EQ(window_count(1, 10, false), 1);
  EXPECT_EQ(window_count(10, 10, false), 1);
  EXPECT_EQ(window_count(11, 10, false), 2);
  EXPECT_EQ(window_count(9, 10, true), 0);
  EXPECT_EQ(window_count(10, 10, true), 1);
  EXPECT_EQ(window_count(28, 10, true), 1);
  EXPECT_EQ(window_count(29, 10, true), 2);
  for (std::int64_t count = 10; count < 50; ++count) {
    const auto tokens = rising(count);
    TextLoader loader(tokens, vocabulary(), 10, {.batch = 1, .training = true});
    for (std::int64_t epoch = 0; epoch < 30; ++epoch)
      for (const Read& batch : load_epoch(loader, epoch))
        ASSERT_EQ(batch.lengths, std::vector<std::int32_t>{10}) << count << ' ' << epoch;
  }
}

TEST(TextLoader, MasksDifferByEpochAndSeedInTrainingOnly) {
  const auto tokens = rising(20);  // one offset, one window: nothing but the masks can differ
  const auto options = [](bool training, std::uint64_t seed) {
    return LoaderOptions{.batch = 1, .training = training, .seed = seed};
  };
  TextLoader training(tokens, vocabulary(), 20, options(true, 1));
  TextLoader other_seed(tokens, vocabulary(), 20, options(true, 2));
  std::set<std::vector<std::int32_t>> seen;
  for (std::int64_t epoch = 0; epoch < 10; ++epoch) {
    seen.insert(load(training, epoch, 0).inputs);
    EXPECT_NE(load(other_seed, epoch, 0), load(training, epoch, 0));
  }
  EXPECT_EQ(seen.size(), 10U);

  TextLoader evaluation(tokens, vocabulary(), 20, options(false, 1));
  TextLoader evaluation_of_other(tokens, vocabulary(), 20, options(false, 2));
  EXPECT_EQ(load(evaluation, 0, 0), load(evaluation, 9, 0));
  EXPECT_EQ(load(evaluation, 0, 0), load(evaluation_of_other, 3, 0));
  TextLoader seed_zero(tokens, vocabulary(), 20, options(true, 0));
  EXPECT_NE(load(evaluation, 0, 0), load(seed_zero, 0, 0));
}

TEST(TextLoader, MasksDifferByWindow) {
  const auto tokens = rising(1000);
  for (const bool training : {false, true}) {
    TextLoader loader(tokens, vocabulary(), 50, {.batch = 19, .training = training});
    const Read batch = load(loader, 0, 0);
    std::set<std::vector<std::int32_t>> masks;  // places within the window
    for (std::int32_t i = 0; i < 19; ++i) {
      std::vector<std::int32_t> places(batch.places.begin() + 8 * i, batch.places.begin() + 8 * (i + 1));
      for (std::int32_t& place : places) place -= 50 * i;
      masks.insert(places);
    }
    EXPECT_EQ(masks.size(), 19U);
  }
}

TEST(TextLoader, EvaluationsMasksDoNotDependOnTheBatch) {
  const auto tokens = rising(203);
  TextLoader small(tokens, vocabulary(), 10, {.batch = 1});
  TextLoader large(tokens, vocabulary(), 10, {.batch = 21});
  std::vector<std::int32_t> joined;
  for (const Read& batch : load_epoch(small, 0))
    joined.insert(joined.end(), batch.inputs.begin(), batch.inputs.end());
  EXPECT_EQ(load(large, 0, 0).inputs, joined);
}

TEST(TextLoader, ABatchIsTheSameAloneAndForAnyNumberOfThreads) {
  const auto tokens = rising(990);
  const LoaderOptions options = {.batch = 24, .training = true, .seed = 3};
  TextLoader straight(tokens, vocabulary(), 17, options);
  std::vector<std::vector<Read>> epochs;
  for (std::int64_t epoch = 0; epoch < 3; ++epoch) epochs.push_back(load_epoch(straight, epoch));
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 4}) {
    omp_set_num_threads(threads);
    TextLoader resumed(tokens, vocabulary(), 17, options);
    EXPECT_EQ(load(resumed, 2, 1), epochs[2][1]);
    EXPECT_EQ(load(resumed, 0, 2), epochs[0][2]);
  }
  omp_set_num_threads(before);
}

TEST(TextLoader, TenPercentOfTheMaskedTokensAreRandomSymbols) {
  const auto tokens = rising(1000);
  TextLoader loader(tokens, vocabulary(), 100, {.batch = 9, .training = true});
  int masks = 0, kept = 0, total = 0;
  for (std::int64_t epoch = 0; epoch < 100; ++epoch) {
    const Read batch = load(loader, epoch, 0);
    for (std::size_t i = 0; i < batch.places.size(); ++i) {
      const std::int32_t input = batch.inputs[static_cast<std::size_t>(batch.places[i])];
      ++total;
      masks += input == vocabulary().mask();
      kept += input == batch.labels[i];
      EXPECT_TRUE(input == vocabulary().mask() || input < vocabulary().symbols());
    }
  }
  ASSERT_EQ(total, 13500);
  EXPECT_NEAR(masks, 10800, 5 * std::sqrt(13500 * 0.8 * 0.2));
  EXPECT_NEAR(kept, 1350, 5 * std::sqrt(13500 * 0.1 * 0.9));
}

TEST(TextLoader, RefusesWhatTheTextCannotFill) {
  const auto tokens = rising(100);
  for (const std::int64_t batch : {-1, 0, 11})
    EXPECT_TRUE(message_of([&] {
                  TextLoader(tokens, vocabulary(), 10, {.batch = batch});
                }).starts_with(concat("data.batch = ", batch, ": wanted 1 to 10, the windows")));
  EXPECT_THROW(TextLoader(tokens, vocabulary(), 10, {.batch = 10, .training = true}), ConfigError);
  EXPECT_TRUE(message_of([&] {
                TextLoader(tokens, vocabulary(), 10, {.batch = 1, .augment = true});
              }).starts_with("data.augment = true: a text has no augmentation"));
  TextLoader loader(tokens, vocabulary(), 10, {.batch = 4});
  EXPECT_THROW(load(loader, 0, 3), Error);
  EXPECT_THROW(load(loader, 0, -1), Error);
  EXPECT_THROW(load(loader, -1, 0), Error);
}

}  // namespace
}  // namespace actlab
