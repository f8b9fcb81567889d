// Mean and deviation of a split's pixels, by channel.
#pragma once

#include <optional>
#include <vector>

#include "framework/data/image_dataset.h"

namespace actlab {

/// Of pixel / 255; not a number where there are no images. The deviation is the population's: divided by n.
struct ChannelStatistics {
  std::vector<double> mean;
  std::vector<double> deviation;
};

/// Over all images of a split, or over those of one label. From exact counts: the order of images changes
/// nothing.
ChannelStatistics channel_statistics(const ImageSplit& split, const ImageSpec& spec,
                                     std::optional<std::int32_t> label = std::nullopt);

}  // namespace actlab
