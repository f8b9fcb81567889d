// Draws the images of a validation split and moves them.
#include "framework/data/image_dataset.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "framework/core/options.h"
#include "kernels/error.h"
#include "kernels/random.h"

namespace actlab {
namespace {

[[noreturn]] void refuse(const ImageDataset& data, double share, const std::string& reason) {
  throw ConfigError(
      concat("data.validation = ", to_string(share), ": ", data.name, ", ", data.origin, ": ", reason));
}

// The numbers from 0 to count - 1 in random order: Fisher and Yates, Durstenfeld's form.
std::vector<std::size_t> permutation(std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const Random random(0, RandomPurpose::validation);
  for (std::size_t i = count; i-- > 1;)
    std::swap(order[i], order[random.below(i, static_cast<std::uint32_t>(i + 1))]);
  return order;
}

// Whether each image is held out.
std::vector<bool> draw_held_out(const std::vector<std::int32_t>& labels, std::int64_t classes, double share) {
  std::vector<double> wanted(static_cast<std::size_t>(classes));
  for (const std::int32_t label : labels) ++wanted[static_cast<std::size_t>(label)];
  for (double& count : wanted) count = std::ceil(share * count - 0.5);
  std::vector<bool> held_out(labels.size());
  for (const std::size_t image : permutation(labels.size())) {
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
