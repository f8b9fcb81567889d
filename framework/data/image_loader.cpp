// Order, augmentation and normalisation of batches.
#include "framework/data/image_loader.h"

#include <algorithm>
#include <numeric>

#include "framework/data/permutation.h"
#include "kernels/error.h"
#include "kernels/random.h"

namespace actlab {
namespace {

constexpr std::int32_t padding = 4;

std::int64_t pixels_of(const ImageSpec& spec) { return spec.height * spec.width * spec.channels; }

// How one image is seen in one epoch.
ImageView random_view(std::uint64_t seed, std::int64_t epoch, std::int64_t image) {
  const Random random(seed, RandomPurpose::augment, static_cast<std::uint64_t>(epoch));
  const auto numbers = random.block(static_cast<std::uint64_t>(image));
  const auto offset = [](std::uint32_t number) {
    return static_cast<std::int32_t>((std::uint64_t{number} * (2 * padding + 1)) >> 32) - padding;
  };
  return {.image = static_cast<std::int32_t>(image),
          .down = offset(numbers[0]),
          .right = offset(numbers[1]),
          .flipped = static_cast<std::int32_t>(numbers[2] >> 31)};
}

// (C, 256): a pixel value as the model sees it. Padding is zero after normalisation, the set's mean colour,
// as the common recipes have it.
std::vector<float> normalised(const ImageDataset& data) {
  const auto channels = static_cast<std::size_t>(data.image.channels);
  ACTLAB_CHECK(data.mean.size() == channels && data.deviation.size() == channels,
               "loader: mean and deviation are not given for ", channels, " channels");
  std::vector<float> shades;
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t value = 0; value < 256; ++value)
      shades.push_back((static_cast<float>(value) / 255.0f - data.mean[c]) / data.deviation[c]);
  return shades;
}

}  // namespace

ImageLoader::ImageLoader(const ImageDataset& data, const ImageSplit& split, const LoaderOptions& options)
    : split_(split),
      options_(options),
      store_(split, data.image, normalised(data)),
      order_(split.labels.size()) {
  ACTLAB_CHECK(split.pixels.size() == split.labels.size() * static_cast<std::size_t>(pixels_of(data.image)),
               "loader: ", split.pixels.size(), " pixel values for ", split.count(), " images of ",
               pixels_of(data.image));
  if (options.batch < 1 || options.batch > split.count())
    throw ConfigError(concat("data.batch = ", options.batch, ": wanted 1 to ", split.count(),
                             ", the images of this split of ", data.name));
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
}

std::int64_t ImageLoader::batches() const { return (split_.count() + options_.batch - 1) / options_.batch; }

std::int64_t ImageLoader::batch_size(std::int64_t index) const {
  ACTLAB_CHECK(index >= 0 && index < batches(), "loader: no batch ", index, " of ", batches());
  return std::min(options_.batch, split_.count() - index * options_.batch);
}

Batch ImageLoader::load(std::int64_t epoch, std::int64_t index, Backend& backend) {
  const std::int64_t n = batch_size(index);
  ACTLAB_CHECK(epoch >= 0, "loader: no epoch ", epoch);
  order_epoch(epoch);
  std::vector<std::int32_t> labels;
  std::vector<ImageView> views;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t image = order_[static_cast<std::size_t>(index * options_.batch + i)];
    labels.push_back(split_.labels[static_cast<std::size_t>(image)]);
    views.push_back(options_.augment ? random_view(options_.seed, epoch, image)
                                     : ImageView{.image = static_cast<std::int32_t>(image)});
  }
  Batch batch;
  batch.inputs = store_.view(views, backend);
  batch.labels = Tensor::from(labels, {n}, backend);
  batch.samples = n;
  return batch;
}

// Anew each epoch: no epoch depends on those before.
void ImageLoader::order_epoch(std::int64_t epoch) {
  if (!options_.training || ordered_ == epoch) return;
  order_ = permutation(split_.count(),
                       Random(options_.seed, RandomPurpose::shuffle, static_cast<std::uint64_t>(epoch)));
  ordered_ = epoch;
}

}  // namespace actlab
