// The set that is made from a seed: the same bits everywhere, learnable, but not by colour or by mean picture
// alone.
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "framework/core/sha256.h"
#include "tests/datasets/opened.h"

namespace actlab {
namespace {

std::string sha256_of(const ImageSplit& split) {
  return sha256({reinterpret_cast<const char*>(split.pixels.data()), split.pixels.size()});
}

using Features = std::vector<double>;

// Mean colour.
Features colours(const std::uint8_t* pixels) {
  Features sums(3);
  for (std::size_t i = 0; i < 32 * 32 * 3; ++i) sums[i % 3] += pixels[i] / 1024.0;
  return sums;
}

// How the picture at two places `distance` values apart goes together, channel a with channel b: -1 to 1.
double correlation(const std::uint8_t* pixels, std::size_t distance, std::size_t a, std::size_t b) {
  const Features mean = colours(pixels);
  double product = 0;
  double squares_a = 0;
  double squares_b = 0;
  for (std::size_t y = 0; y < 24; ++y)
    for (std::size_t x = 0; x < 24; ++x) {
      const std::uint8_t* pixel = pixels + y * 96 + x * 3;
      const double u = pixel[a] - mean[a];
      const double v = pixel[distance + b] - mean[b];
      product += u * v;
      squares_a += u * u;
      squares_b += v * v;
    }
  return product / std::sqrt(squares_a * squares_b);
}

// Correlations across and down at some distances, and of the colours with each other.
Features textures(const std::uint8_t* pixels) {
  Features features;
  for (const std::size_t distance : {2U, 3U, 4U, 6U, 8U})
    for (const std::size_t stride : {3U, 96U})
      features.push_back(correlation(pixels, distance * stride, 0, 0) +
                         correlation(pixels, distance * stride, 1, 1));
  for (const std::size_t a : {0U, 1U, 2U}) features.push_back(correlation(pixels, 0, a, (a + 1) % 3));
  return features;
}

Features raw(const std::uint8_t* pixels) { return {pixels, pixels + 3072}; }

// Share of test images whose nearest class mean, by features scaled to unit deviation, is their own.
double nearest_mean_accuracy(const ImageDataset& data, Features (*features_of)(const std::uint8_t*)) {
  const std::size_t n = features_of(data.train.pixels.data()).size();
  const auto count = static_cast<std::size_t>(data.train.count());
  std::vector<Features> means(10, Features(n));
  Features mean(n);
  Features squares(n);
  for (std::size_t i = 0; i < count; ++i) {
    const Features f = features_of(data.train.pixels.data() + i * 3072);
    for (std::size_t j = 0; j < n; ++j) {
      means[static_cast<std::size_t>(data.train.labels[i])][j] += f[j] * 10 / static_cast<double>(count);
      mean[j] += f[j] / static_cast<double>(count);
      squares[j] += f[j] * f[j] / static_cast<double>(count);
    }
  }
  int right = 0;
  for (std::size_t i = 0; i < data.test.labels.size(); ++i) {
    const Features f = features_of(data.test.pixels.data() + i * 3072);
    std::array<double, 10> distances = {};
    for (std::size_t k = 0; k < 10; ++k)
      for (std::size_t j = 0; j < n; ++j)
        distances[k] += std::pow(f[j] - means[k][j], 2) / (squares[j] - mean[j] * mean[j]);
    right += std::min_element(distances.begin(), distances.end()) - distances.begin() == data.test.labels[i];
  }
  return right / static_cast<double>(data.test.count());
}

TEST(Synthetic, HasTheSizesAskedFor) {
  const auto data = open_dataset(
      "synthetic", {{"train", std::int64_t{25}}, {"test", std::int64_t{7}}, {"size", std::int64_t{5}}});
  EXPECT_EQ(data->train.count(), 25);
  EXPECT_EQ(data->test.count(), 7);
  EXPECT_EQ(data->train.pixels.size(), 25U * 75);
  EXPECT_EQ(data->image.height, 5);
  EXPECT_EQ(data->image.width, 5);
  EXPECT_EQ(data->image.classes, 10);
  EXPECT_EQ(data->class_names.size(), 10U);
  EXPECT_EQ(open_dataset("synthetic", {})->train.count(), 2000);
  EXPECT_EQ(open_dataset("synthetic", {})->test.count(), 500);
  EXPECT_THROW(open_dataset("synthetic", {{"size", std::int64_t{3}}}), ConfigError);
}

// The digests are of the first machine; any other must agree.
TEST(Synthetic, TheSameBitsOnEveryMachineAndForAnyThreads) {
  const int before = omp_get_max_threads();
  for (const int threads : {1, 2, 4}) {
    omp_set_num_threads(threads);
    const auto data = open_dataset("synthetic", {{"train", std::int64_t{200}}, {"test", std::int64_t{100}}});
    EXPECT_EQ(sha256_of(data->train), "ad52daaa33cfbc9e235325da88e62730ac224f37160248062ab5e49caa7efc7b");
    EXPECT_EQ(sha256_of(data->test), "587364d47f8876738135370b0679d8d1b22fbc73daa60b423da6f94afbd35133");
  }
  omp_set_num_threads(before);
}

TEST(Synthetic, ImagesDependOnSeedSplitAndNumberOnly) {
  const auto settings = [](std::int64_t train, std::int64_t seed) {
    return open_dataset("synthetic", {{"train", train}, {"test", train}, {"seed", seed}});
  };
  const auto small = settings(20, 1);
  const auto large = settings(50, 1);
  const auto other = settings(20, 2);
  EXPECT_TRUE(
      std::equal(small->train.pixels.begin(), small->train.pixels.end(), large->train.pixels.begin()));
  EXPECT_NE(small->train.pixels, small->test.pixels);
  EXPECT_NE(small->train.pixels, other->train.pixels);
  EXPECT_NE(small->train.pixels, other->test.pixels);
}

TEST(Synthetic, TextureTellsTheClassButColourAndMeanPictureDoNot) {
  const auto data = open_dataset("synthetic", {});
  const double by_texture = nearest_mean_accuracy(*data, textures);
  const double by_colour = nearest_mean_accuracy(*data, colours);
  const double by_picture = nearest_mean_accuracy(*data, raw);
  RecordProperty("by_texture", std::to_string(by_texture));
  RecordProperty("by_colour", std::to_string(by_colour));
  RecordProperty("by_picture", std::to_string(by_picture));
  EXPECT_GT(by_texture, 0.8);
  EXPECT_LT(by_texture, 0.98);
  EXPECT_LT(by_colour, 0.35);
  EXPECT_LT(by_picture, 0.35);
}

TEST(Synthetic, MeanAndDeviationAreItsOwn) {
  const auto data = open_dataset("synthetic", {});
  for (std::size_t c = 0; c < 3; ++c) {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = c; i < data->train.pixels.size(); i += 3) {
      const double value = data->train.pixels[i] / 255.0;
      sum += value;
      squares += value * value;
    }
    const double n = static_cast<double>(data->train.pixels.size()) / 3;
    EXPECT_NEAR(sum / n, double{data->mean[c]}, 0.001);
    EXPECT_NEAR(std::sqrt(squares / n - sum / n * sum / n), double{data->deviation[c]}, 0.001);
  }
}

}  // namespace
}  // namespace actlab
