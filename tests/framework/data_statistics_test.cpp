// Mean and deviation by channel.
#include <gtest/gtest.h>

#include <cmath>

#include "framework/data/statistics.h"

namespace actlab {
namespace {

const ImageSpec spec{.height = 1, .width = 2, .channels = 2, .classes = 2};
const ImageSplit split{.pixels = {0, 10, 255, 10, 51, 10, 102, 10}, .labels = {0, 1}};

TEST(ChannelStatistics, ByChannel) {
  const ChannelStatistics all = channel_statistics(split, spec);
  EXPECT_NEAR(all.mean[0], 0.4, 1e-15);  // of 0, 1, 0.2, 0.4
  EXPECT_NEAR(all.deviation[0], std::sqrt((0.16 + 0.36 + 0.04) / 4), 1e-15);
  EXPECT_NEAR(all.mean[1], 10 / 255.0, 1e-15);
  EXPECT_EQ(all.deviation[1], 0);
}

TEST(ChannelStatistics, OfOneLabel) {
  const ChannelStatistics second = channel_statistics(split, spec, 1);
  EXPECT_NEAR(second.mean[0], 0.3, 1e-15);
  EXPECT_NEAR(second.deviation[0], 0.1, 1e-15);
  EXPECT_TRUE(std::isnan(channel_statistics(split, spec, 2).mean[0]));
}

TEST(ChannelStatistics, TheOrderOfImagesChangesNothing) {
  const ImageSplit turned{.pixels = {51, 10, 102, 10, 0, 10, 255, 10}, .labels = {1, 0}};
  EXPECT_EQ(channel_statistics(turned, spec).mean, channel_statistics(split, spec).mean);
  EXPECT_EQ(channel_statistics(turned, spec).deviation, channel_statistics(split, spec).deviation);
}

}  // namespace
}  // namespace actlab
