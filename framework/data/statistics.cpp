// Statistics from how often each of the 256 values occurs.
#include "framework/data/statistics.h"

#include <array>
#include <cmath>

namespace actlab {

ChannelStatistics channel_statistics(const ImageSplit& split, const ImageSpec& spec,
                                     std::optional<std::int32_t> label) {
  const auto channels = static_cast<std::size_t>(spec.channels);
  const auto stride = static_cast<std::size_t>(spec.height * spec.width) * channels;
  std::vector<std::array<std::int64_t, 256>> counts(channels);
  std::int64_t images = 0;
  for (std::size_t image = 0; image < split.labels.size(); ++image) {
    if (label && split.labels[image] != *label) continue;
    ++images;
    const std::uint8_t* pixels = split.pixels.data() + image * stride;
    for (std::size_t i = 0; i < stride; i += channels)
      for (std::size_t c = 0; c < channels; ++c) ++counts[c][pixels[i + c]];
  }

  // In pixel values: the sum is exact, so a channel of one value deviates by 0, not by a rounding error.
  const auto total = static_cast<double>(images * spec.height * spec.width);
  ChannelStatistics result;
  for (const auto& count : counts) {
    std::int64_t sum = 0;
    for (std::int64_t value = 0; value < 256; ++value) sum += value * count[static_cast<std::size_t>(value)];
    const double mean = static_cast<double>(sum) / total;
    double squares = 0;
    for (std::size_t value = 0; value < 256; ++value)
      squares += std::pow(static_cast<double>(value) - mean, 2) * static_cast<double>(count[value]);
    result.mean.push_back(mean / 255);
    result.deviation.push_back(std::sqrt(squares / total) / 255);
  }
  return result;
}

}  // namespace actlab
