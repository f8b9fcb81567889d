// Draws the images of a validation split and moves them.
#include "framework/data/image_dataset.h"

#include <algorithm>
#include <cmath>

#include "framework/core/options.h"
#include "framework/data/permutation.h"
#include "kernels/error.h"
#include "kernels/random.h"

namespace actlab {
namespace {

[[noreturn]] void refuse(const ImageDataset& data, double share, const std::string& reason) {
  throw ConfigError(
      concat("data.validation = ", to_string(share), ": ", data.name, ", ", data.origin, ": ", reason));
}

// Whether each image is held out.
std::vector<bool> draw_held_out(const std::vector<std::int32_t>& labels, std::int64_t classes, double share) {
  std::vector<double> wanted(static_cast<std::size_t>(classes));
  for (const std::int32_t label : labels) ++wanted[static_cast<std::size_t>(label)];
  for (double& count : wanted) count = std::ceil(share * count - 0.5);
  std::vector<bool> held_out(labels.size());
  for (const std::int64_t number : permutation(std::ssize(labels), Random(0, RandomPurpose::validation))) {
    const auto image = static_cast<std::size_t>(number);
    double& left = wanted[static_cast<std::size_t>(labels[image])];
    held_out[image] = left > 0;
    left -= 1;
  }
  return held_out;
}

}  // namespace

void ImageDataset::hold_out_validation(double share) {
  if (share == 0) return;
  if (validation) refuse(*this, share, "has a validation split of its own; leave data.validation at 0");
  const std::vector<bool> held_out = draw_held_out(train.labels, image.classes, share);
  const auto count = static_cast<std::size_t>(std::count(held_out.begin(), held_out.end(), true));
  if (count == 0)
    refuse(*this, share, concat("holds out none of the ", train.count(), " training images; raise it"));

  const std::int64_t stride = image.height * image.width * image.channels;
  ImageSplit& held = validation.emplace();
  held.pixels.reserve(count * static_cast<std::size_t>(stride));
  held.labels.reserve(count);
  auto kept_pixels = train.pixels.begin();
  auto kept_labels = train.labels.begin();
  for (std::size_t i = 0; i < held_out.size(); ++i) {
    const auto begin = train.pixels.begin() + static_cast<std::int64_t>(i) * stride;
    if (held_out[i]) {
      held.pixels.insert(held.pixels.end(), begin, begin + stride);
      held.labels.push_back(train.labels[i]);
    } else {
      kept_pixels = std::copy(begin, begin + stride, kept_pixels);
      *kept_labels++ = train.labels[i];
    }
  }
  train.pixels.erase(kept_pixels, train.pixels.end());
  train.labels.erase(kept_labels, train.labels.end());
}

}  // namespace actlab
