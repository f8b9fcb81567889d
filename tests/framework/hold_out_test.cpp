// Validation splits: every image once, the same share of every class, the same images every time.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "kernels/error.h"
#include "tests/support/training.h"

namespace actlab {
namespace {

// One-pixel images of two channels that hold the image's number; of class c there are counts[c].
ImageDataset numbered(const std::vector<int>& counts) {
  ImageDataset data;
  data.name = "numbered";
  data.origin = "here";
  data.image = {.height = 1, .width = 1, .channels = 2, .classes = static_cast<std::int64_t>(counts.size())};
  for (std::size_t c = 0; c < counts.size(); ++c)
    data.train.labels.insert(data.train.labels.end(), static_cast<std::size_t>(counts[c]),
                             static_cast<std::int32_t>(c));
  for (std::size_t i = 0; i < data.train.labels.size(); ++i) {
    data.train.pixels.push_back(static_cast<std::uint8_t>(i % 256));
    data.train.pixels.push_back(static_cast<std::uint8_t>(i / 256));
  }
  return data;
}

std::vector<int> numbers_of(const ImageSplit& split) {
  std::vector<int> numbers;
  for (std::size_t i = 0; i < split.pixels.size(); i += 2)
    numbers.push_back(split.pixels[i] + 256 * split.pixels[i + 1]);
  return numbers;
}

std::map<int, int> class_counts(const ImageSplit& split) {
  std::map<int, int> counts;
  for (const std::int32_t label : split.labels) ++counts[label];
  return counts;
}

std::string refusal(ImageDataset data, double share) {
  try {
    data.hold_out_validation(share);
  } catch (const ConfigError& e) {
    return e.what();
  }
  return "no error";
}

TEST(HoldOut, EveryImageIsInOneSplitWithItsLabel) {
  const ImageDataset whole = numbered({300, 250, 50});
  ImageDataset data = whole;
  data.hold_out_validation(0.2);
  const std::vector<int> train = numbers_of(data.train), validation = numbers_of(*data.validation);
  EXPECT_EQ(train.size(), data.train.labels.size());
  EXPECT_TRUE(std::is_sorted(train.begin(), train.end()));
  EXPECT_TRUE(std::is_sorted(validation.begin(), validation.end()));
  std::vector<int> all;
  std::merge(train.begin(), train.end(), validation.begin(), validation.end(), std::back_inserter(all));
  std::vector<int> expected(600);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(all, expected);
  for (const ImageSplit& split : {data.train, *data.validation})
    for (std::size_t i = 0; i < split.labels.size(); ++i)
      EXPECT_EQ(split.labels[i], whole.train.labels[static_cast<std::size_t>(numbers_of(split)[i])]);
}

TEST(HoldOut, EveryClassGivesTheSameShare) {
  ImageDataset data = numbered({300, 250, 50, 7, 1, 0});
  data.hold_out_validation(0.1);
  // 30, 25, 5, 0.7, 0.1 and 0 images.
  EXPECT_EQ(class_counts(*data.validation), (std::map<int, int>{{0, 30}, {1, 25}, {2, 5}, {3, 1}}));
  ImageDataset halves = numbered({1, 3, 4});
  halves.hold_out_validation(0.5);
  EXPECT_EQ(class_counts(halves.train), (std::map<int, int>{{0, 1}, {1, 2}, {2, 2}}));
}

// The images of each class are drawn, not the first ones, and always the same ones.
TEST(HoldOut, DrawsByAFixedKey) {
  std::vector<std::vector<int>> drawn;
  for (int i = 0; i < 2; ++i) {
    ImageDataset data = numbered({100, 100});
    data.hold_out_validation(0.1);
    drawn.push_back(numbers_of(*data.validation));
  }
  EXPECT_EQ(drawn[0], drawn[1]);
  EXPECT_GT(drawn[0][9], 50);
  EXPECT_LT(drawn[0][0], 50);
  std::vector<int> within;
  for (const int number : drawn[0]) within.push_back(number % 100);
  EXPECT_FALSE(std::equal(within.begin(), within.begin() + 10, within.begin() + 10));
}

TEST(HoldOut, NothingIsTheDefault) {
  ImageDataset data = numbered({5, 5});
  data.hold_out_validation(0);
  EXPECT_FALSE(data.validation);
  EXPECT_EQ(data.train.count(), 10);
}

TEST(HoldOut, RefusesASecondSplitAndAnEmptyOne) {
  EXPECT_EQ(refusal(numbered({5, 5}), 0.1),
            "data.validation = 0.1: numbered, here: holds out none of the 10 training images; raise it");
  ImageDataset data = numbered({50, 50});
  data.validation.emplace();
  EXPECT_EQ(
      refusal(data, 0.1),
      "data.validation = 0.1: numbered, here: has a validation split of its own; leave data.validation at "
      "0");
}

}  // namespace
}  // namespace actlab
