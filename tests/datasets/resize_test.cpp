// Resizing against Pillow's triangle filter, and where nothing may change.
#include "datasets/resize.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace actlab {
namespace {

Image make_image(std::int64_t height, std::int64_t width, std::int64_t channels,
                 std::int64_t (*value)(std::int64_t y, std::int64_t x)) {
  Image image{.height = height, .width = width, .channels = channels, .pixels = {}};
  for (std::int64_t y = 0; y < height; ++y)
    for (std::int64_t x = 0; x < width; ++x)
      for (std::int64_t c = 0; c < channels; ++c)
        image.pixels.push_back(static_cast<std::uint8_t>(value(y, x) + c));
  return image;
}

std::int64_t curve(std::int64_t y, std::int64_t x) { return (x * x * 3 + y * 29) % 256; }

void expect_near(const Image& image, const std::vector<int>& wanted) {
  ASSERT_EQ(image.pixels.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(image.pixels[i], wanted[i], 1) << i;
}

// Pillow 9.4, resize(BILINEAR), which rounds between its passes too.
TEST(Resize, AgreesWithPillow) {
  const Image image = make_image(7, 9, 1, curve);
  expect_near(resize(image, 4, Fit::stretch),
              {19, 42, 97, 171, 64, 87, 142, 190, 118, 141, 182, 95, 163, 186, 186, 83});
  expect_near(resize(image, 4, Fit::crop),
              {23, 45, 89, 142, 68, 90, 134, 187, 122, 144, 188, 144, 167, 189, 206, 94});
  const Image large = resize(image, 12, Fit::stretch);
  expect_near(
      {.height = 1, .width = 12, .channels = 1, .pixels = {large.pixels.begin(), large.pixels.begin() + 12}},
      {0, 2, 6, 14, 25, 40, 58, 79, 104, 132, 164, 192});
}

TEST(Resize, OneColourStaysItself) {
  for (const std::int64_t side : {1, 3, 8, 21})
    for (const Fit fit : {Fit::stretch, Fit::crop}) {
      const Image image =
          resize(make_image(8, 5, 3, [](auto, auto) { return std::int64_t{253}; }), side, fit);
      ASSERT_EQ(image.pixels.size(), static_cast<std::size_t>(3 * side * side));
      for (std::size_t i = 0; i < image.pixels.size(); ++i) EXPECT_EQ(image.pixels[i], 253 + i % 3);
    }
}

TEST(Resize, TheSameSizeIsTheSameImage) {
  const Image image = make_image(6, 6, 3, curve);
  EXPECT_EQ(resize(image, 6, Fit::stretch).pixels, image.pixels);
  EXPECT_EQ(resize(image, 6, Fit::crop).pixels, image.pixels);
}

TEST(Resize, CropsTheMiddle) {
  const Image wide = make_image(2, 8, 1, [](auto, auto x) { return x * 10; });
  EXPECT_EQ(resize(wide, 2, Fit::crop).pixels, (std::vector<std::uint8_t>{30, 40, 30, 40}));
  const Image high = make_image(7, 2, 1, [](auto y, auto) { return y * 10; });
  EXPECT_EQ(resize(high, 2, Fit::crop).pixels, (std::vector<std::uint8_t>{20, 20, 30, 30}));
}

TEST(Resize, HighNarrowImages) {
  const Image image = make_image(1 << 16, 1, 1, [](auto y, auto) { return (y >> 14) * 40; });
  const Image small = resize(image, 256, Fit::stretch);
  for (const auto& [row, value] : {std::pair{0, 0}, {62, 0}, {65, 40}, {190, 80}, {193, 120}, {255, 120}})
    EXPECT_EQ(small.pixels[static_cast<std::size_t>(row * 256 + 7)], value) << row;
  EXPECT_EQ(resize(image, 3, Fit::crop).pixels, (std::vector<std::uint8_t>(9, 40)));
}

TEST(Resize, HalvingCountsEveryPixel) {
  const Image image = make_image(1, 4, 1, [](auto, auto x) { return x == 1 ? std::int64_t{80} : 0; });
  const Image half = resize(image, 2, Fit::stretch);
  EXPECT_EQ(half.pixels[0], 34);  // weights 3, 3, 1 of 7
  EXPECT_EQ(half.pixels[1], 11);
}

}  // namespace
}  // namespace actlab
