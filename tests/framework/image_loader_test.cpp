// Batches: order, augmentation, normalisation, and that nothing depends on threads or on what came before.
#include "framework/data/image_loader.h"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::int64_t side = 32;

// Image i has label i. Mean 0, deviation 1/255: a pixel value v is seen as v (but for rounding), padding as
// 0. Red tells the image, green the column, blue the row, all from 1 on.
ImageDataset make_data(std::int64_t count) {
  ImageDataset data;
  data.name = "test";
  data.image = {.height = side, .width = side, .channels = 3, .classes = count};
  data.mean = {0, 0, 0};
  data.deviation = {1 / 255.0f, 1 / 255.0f, 1 / 255.0f};
  for (std::int64_t i = 0; i < count; ++i) {
    data.train.labels.push_back(static_cast<std::int32_t>(i));
    for (std::int64_t y = 0; y < side; ++y)
      for (std::int64_t x = 0; x < side; ++x)
        for (const std::int64_t value : {1 + i % 255, 1 + x, 1 + y})
          data.train.pixels.push_back(static_cast<std::uint8_t>(value));
  }
  return data;
}

struct Filled {
  std::vector<float> images;
  std::vector<std::int32_t> labels;
  bool operator==(const Filled&) const = default;
};

Filled fill(ImageLoader& loader, std::int64_t epoch, std::int64_t index) {
  const Batch batch = loader.load(epoch, index, find_backend("cpu"));
  return {batch.inputs.to_vector<float>(), batch.labels.to_vector<std::int32_t>()};
}

std::vector<Filled> fill_epoch(ImageLoader& loader, std::int64_t epoch) {
  std::vector<Filled> batches;
  for (std::int64_t i = 0; i < loader.batches(); ++i) batches.push_back(fill(loader, epoch, i));
  return batches;
}

std::vector<std::int32_t> labels_of(const std::vector<Filled>& batches) {
  std::vector<std::int32_t> labels;
  for (const Filled& batch : batches) labels.insert(labels.end(), batch.labels.begin(), batch.labels.end());
  return labels;
}

// (down, right, flipped) of an augmented image of make_data, read from its middle, and a check of all its
// pixels.
std::array<int, 3> view_of(const float* image) {
  const auto at = [&](int y, int x, int c) {
    return static_cast<int>(std::lround(image[(y * side + x) * 3 + c])) - 1;
  };
  const int down = at(16, 16, 2) - 16;
  const bool flipped = at(16, 17, 1) < at(16, 16, 1);
  const int right = at(16, 16, 1) - (flipped ? static_cast<int>(side) - 1 - 16 : 16);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const int source_y = y + down;
      const int source_x = (flipped ? static_cast<int>(side) - 1 - x : x) + right;
      const bool inside = source_y >= 0 && source_y < side && source_x >= 0 && source_x < side;
      EXPECT_EQ(at(y, x, 1), inside ? source_x : -1);
      EXPECT_EQ(at(y, x, 2), inside ? source_y : -1);
    }
  return {down, right, flipped ? 1 : 0};
}

// Views by image number.
std::vector<std::array<int, 3>> views_of(const std::vector<Filled>& batches, std::size_t count) {
  std::vector<std::array<int, 3>> views(count);
  for (const Filled& batch : batches)
    for (std::size_t i = 0; i < batch.labels.size(); ++i)
      views[static_cast<std::size_t>(batch.labels[i])] = view_of(batch.images.data() + i * side * side * 3);
  return views;
}

TEST(ImageLoader, EvaluationKeepsFileOrderAndDeliversTheShortBatch) {
  const ImageDataset data = make_data(10);
  ImageLoader loader(data, data.train, {.batch = 4});
  ASSERT_EQ(loader.batches(), 3);
  EXPECT_EQ(loader.batch_size(0), 4);
  EXPECT_EQ(loader.batch_size(2), 2);
  std::vector<std::int32_t> wanted(10);
  std::iota(wanted.begin(), wanted.end(), 0);
  EXPECT_EQ(labels_of(fill_epoch(loader, 0)), wanted);
  EXPECT_EQ(fill_epoch(loader, 0), fill_epoch(loader, 5));
  const Filled last = fill(loader, 0, 2);
  for (std::size_t i = 0; i < last.images.size(); ++i)
    EXPECT_NEAR(last.images[i], data.train.pixels[8 * side * side * 3 + i], 1e-4);
}

TEST(ImageLoader, EveryEpochIsAPermutationOfItsOwn) {
  const ImageDataset data = make_data(100);
  ImageLoader loader(data, data.train, {.batch = 32, .training = true, .seed = 7});
  std::set<std::vector<std::int32_t>> orders;
  for (std::int64_t epoch = 0; epoch < 5; ++epoch) {
    std::vector<std::int32_t> labels = labels_of(fill_epoch(loader, epoch));
    orders.insert(labels);
    std::sort(labels.begin(), labels.end());
    for (std::int32_t i = 0; i < 100; ++i) EXPECT_EQ(labels[static_cast<std::size_t>(i)], i);
  }
  EXPECT_EQ(orders.size(), 5U);
  ImageLoader other(data, data.train, {.batch = 32, .training = true, .seed = 8});
  EXPECT_NE(labels_of(fill_epoch(other, 0)), labels_of(fill_epoch(loader, 0)));
}

// Each image comes to each place about equally often: chi-squared with 81 degrees of freedom, 5 sigma.
TEST(ImageLoader, ShufflesWithoutBias) {
  const ImageDataset data = make_data(10);
  ImageLoader loader(data, data.train, {.batch = 10, .training = true});
  constexpr int epochs = 1000;
  std::array<std::array<int, 10>, 10> seen = {};
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
    const Filled batch = fill(loader, epoch, 0);
    for (std::size_t i = 0; i < 10; ++i) ++seen[i][static_cast<std::size_t>(batch.labels[i])];
  }
  double chi_squared = 0;
  for (const auto& row : seen)
    for (const int n : row) chi_squared += std::pow(n - epochs / 10.0, 2) / (epochs / 10.0);
  EXPECT_NEAR(chi_squared, 81, 5 * std::sqrt(2 * 81));
}

TEST(ImageLoader, ABatchIsTheSameAlone) {
  const ImageDataset data = make_data(64);
  const LoaderOptions options = {.batch = 24, .training = true, .augment = true, .seed = 3};
  ImageLoader straight(data, data.train, options);
  std::vector<std::vector<Filled>> epochs;
  for (std::int64_t epoch = 0; epoch < 3; ++epoch) epochs.push_back(fill_epoch(straight, epoch));
  ImageLoader resumed(data, data.train, options);
  EXPECT_EQ(fill(resumed, 2, 1), epochs[2][1]);
  EXPECT_EQ(fill(resumed, 0, 2), epochs[0][2]);
}

TEST(ImageLoader, TheSameBitsForAnyNumberOfThreads) {
  const ImageDataset data = make_data(64);
  const int before = omp_get_max_threads();
  std::vector<std::vector<Filled>> results;
  for (const int threads : {1, 2, 4}) {
    omp_set_num_threads(threads);
    ImageLoader loader(data, data.train, {.batch = 20, .training = true, .augment = true, .seed = 5});
    results.emplace_back();
    for (std::int64_t epoch = 0; epoch < 3; ++epoch)
      for (Filled& batch : fill_epoch(loader, epoch)) results.back().push_back(std::move(batch));
  }
  omp_set_num_threads(before);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(ImageLoader, AugmentationDiffersByImageAndByEpoch) {
  const ImageDataset data = make_data(64);
  ImageLoader loader(data, data.train, {.batch = 16, .training = true, .augment = true, .seed = 1});
  std::vector<std::vector<std::array<int, 3>>> epochs;
  for (std::int64_t epoch = 0; epoch < 3; ++epoch) epochs.push_back(views_of(fill_epoch(loader, epoch), 64));
  for (const auto& views : epochs)
    EXPECT_GT((std::set<std::array<int, 3>>(views.begin(), views.end()).size()), 30U);  // of 162
  for (std::size_t other = 0; other < 3; ++other) {
    int equal = 0;
    for (std::size_t i = 0; i < 64; ++i) equal += epochs[other][i] == epochs[(other + 1) % 3][i];
    EXPECT_LT(equal, 6);  // one in 162 is expected to be equal
  }
}

TEST(ImageLoader, AugmentationIsTheImagesOwnWhateverTheBatch) {
  const ImageDataset data = make_data(64);
  ImageLoader shuffled(data, data.train, {.batch = 16, .training = true, .augment = true, .seed = 1});
  ImageLoader ordered(data, data.train, {.batch = 40, .augment = true, .seed = 1});
  EXPECT_EQ(views_of(fill_epoch(shuffled, 2), 64), views_of(fill_epoch(ordered, 2), 64));
}

TEST(ImageLoader, OffsetsAndFlipsAreEquallyLikely) {
  const ImageDataset data = make_data(200);
  ImageLoader loader(data, data.train, {.batch = 200, .augment = true});
  std::array<int, 9> down = {};
  std::array<int, 9> right = {};
  int flips = 0;
  constexpr int epochs = 9;
  for (std::int64_t epoch = 0; epoch < epochs; ++epoch)
    for (const auto& view : views_of(fill_epoch(loader, epoch), 200)) {
      ++down.at(static_cast<std::size_t>(view[0] + 4));
      ++right.at(static_cast<std::size_t>(view[1] + 4));
      flips += view[2];
    }
  for (const int n : down) EXPECT_NEAR(n, 200, 67);  // five standard deviations
  for (const int n : right) EXPECT_NEAR(n, 200, 67);
  EXPECT_NEAR(flips, 900, 106);
}

TEST(ImageLoader, Normalises) {
  ImageDataset data;
  data.name = "test";
  data.image = {.height = 1, .width = 2, .channels = 3, .classes = 10};
  data.mean = {0.4914f, 0.4822f, 0.4465f};
  data.deviation = {0.2470f, 0.2435f, 0.2616f};
  data.train = {.pixels = {0, 40, 255, 16, 128, 1}, .labels = {3}};
  ImageLoader loader(data, data.train, {.batch = 1});
  const Filled batch = fill(loader, 0, 0);
  for (std::size_t i = 0; i < 6; ++i) {
    const double wanted =
        (data.train.pixels[i] / 255.0 - double{data.mean[i % 3]}) / double{data.deviation[i % 3]};
    EXPECT_NEAR(batch.images[i], wanted, 1e-6);
  }
  EXPECT_EQ(batch.labels[0], 3);
}

TEST(ImageLoader, RefusesBatchesThatTheSplitCannotFill) {
  const ImageDataset data = make_data(10);
  for (const std::int64_t batch : {-1, 0, 11}) {
    try {
      const ImageLoader loader(data, data.train, {.batch = batch});
      FAIL() << batch;
    } catch (const ConfigError& error) {
      EXPECT_NE(std::string(error.what()).find("data.batch = " + std::to_string(batch)), std::string::npos);
      EXPECT_NE(std::string(error.what()).find("1 to 10"), std::string::npos);
    }
  }
  EXPECT_THROW(ImageLoader(data, data.test, {.batch = 1}), ConfigError);
}

TEST(ImageLoader, LoadsTheSameOntoEveryBackend) {
  const ImageDataset data = make_data(10);
  ImageLoader loader(data, data.train, {.batch = 4, .training = true, .augment = true, .seed = 2});
  for (const std::int64_t index : {0, 2}) {
    const Batch batch = loader.load(1, index, find_backend("reference"));
    const Filled filled = fill(loader, 1, index);
    EXPECT_EQ(batch.inputs.shape(), (Shape{index == 2 ? 2 : 4, side, side, 3}));
    EXPECT_EQ(batch.inputs.to_vector<float>(), filled.images);
    EXPECT_EQ(batch.labels.to_vector<std::int32_t>(), filled.labels);
    EXPECT_EQ(batch.samples, index == 2 ? 2 : 4);
    EXPECT_FALSE(batch.places.defined());
    EXPECT_FALSE(batch.lengths.defined());
  }
}

TEST(ImageLoader, OfEverySplitByName) {
  ImageDataset data = make_data(10);
  data.test = data.train;
  EXPECT_EQ(data.count(SplitName::validation), 0);
  EXPECT_THROW(data.loader(SplitName::validation, {.batch = 1}), Error);
  data.validation = ImageSplit{{data.train.pixels.begin(), data.train.pixels.begin() + side * side * 3}, {0}};
  for (const auto& [split, count] :
       {std::pair{SplitName::train, 10}, {SplitName::validation, 1}, {SplitName::test, 10}}) {
    EXPECT_EQ(data.count(split), count);
    EXPECT_EQ(data.loader(split, {.batch = 1})->batches(), count);
  }
}

TEST(ImageLoader, RefusesWrongPlacesAndDamagedSets) {
  const ImageDataset data = make_data(10);
  ImageLoader loader(data, data.train, {.batch = 4});
  EXPECT_THROW(fill(loader, 0, 3), Error);
  EXPECT_THROW(fill(loader, -1, 0), Error);
  ImageDataset damaged = make_data(10);
  damaged.train.pixels.pop_back();
  EXPECT_THROW(ImageLoader(damaged, damaged.train, {.batch = 4}), Error);
}

}  // namespace
}  // namespace actlab
