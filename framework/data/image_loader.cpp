// Order, augmentation and normalisation of batches.
#include "framework/data/image_loader.h"

#include <algorithm>
#include <numeric>

#include "framework/data/permutation.h"
#include "kernels/cpu/parallel.h"
#include "kernels/error.h"
#include "kernels/random.h"

namespace actlab {
namespace {

constexpr std::int64_t padding = 4;

std::int64_t pixels_of(const ImageSpec& spec) { return spec.height * spec.width * spec.channels; }

/// How one image is seen in one epoch: pixel (y, x) shows the source's (y + down, x + right), x counted from
/// the right where flipped.
struct View {
  std::int64_t down = 0;
  std::int64_t right = 0;
  bool flipped = false;
};

View random_view(std::uint64_t seed, std::int64_t epoch, std::int64_t image) {
  const Random random(seed, RandomPurpose::augment, static_cast<std::uint64_t>(epoch));
  const auto numbers = random.block(static_cast<std::uint64_t>(image));
  const auto offset = [](std::uint32_t number) {
    return static_cast<std::int64_t>((std::uint64_t{number} * (2 * padding + 1)) >> 32) - padding;
  };
  return {offset(numbers[0]), offset(numbers[1]), numbers[2] >> 31 != 0};
}

}  // namespace

ImageLoader::ImageLoader(const ImageDataset& data, const ImageSplit& split, const LoaderOptions& options)
    : data_(data), split_(split), options_(options), order_(split.labels.size()) {
  const auto channels = static_cast<std::size_t>(data.image.channels);
  ACTLAB_CHECK(split.pixels.size() == split.labels.size() * static_cast<std::size_t>(pixels_of(data.image)),
               "loader: ", split.pixels.size(), " pixel values for ", split.count(), " images of ",
               pixels_of(data.image));
  ACTLAB_CHECK(data.mean.size() == channels && data.deviation.size() == channels,
               "loader: mean and deviation are not given for ", channels, " channels");
  if (options.batch < 1 || options.batch > split.count())
    throw ConfigError(concat("data.batch = ", options.batch, ": wanted 1 to ", split.count(),
                             ", the images of this split of ", data.name));
  std::iota(order_.begin(), order_.end(), std::int64_t{0});
  for (std::size_t c = 0; c < channels; ++c)
    for (std::size_t value = 0; value < 256; ++value)
      normalised_.push_back((static_cast<float>(value) / 255.0f - data.mean[c]) / data.deviation[c]);
}

std::int64_t ImageLoader::batches() const { return (split_.count() + options_.batch - 1) / options_.batch; }

std::int64_t ImageLoader::batch_size(std::int64_t index) const {
  ACTLAB_CHECK(index >= 0 && index < batches(), "loader: no batch ", index, " of ", batches());
  return std::min(options_.batch, split_.count() - index * options_.batch);
}

Batch ImageLoader::load(std::int64_t epoch, std::int64_t index, Backend& backend) {
  const std::int64_t n = batch_size(index);
  const auto [height, width, channels, classes] = data_.image;
  Batch batch;
  batch.inputs = Tensor::empty({n, height, width, channels}, DType::f32, backend);
  batch.labels = Tensor::empty({n}, DType::i32, backend);
  batch.samples = n;
  fill(epoch, index,
       {batch.inputs.mutable_data().as<float>(), static_cast<std::size_t>(batch.inputs.count())},
       {batch.labels.mutable_data().as<std::int32_t>(), static_cast<std::size_t>(n)});
  return batch;
}

void ImageLoader::fill(std::int64_t epoch, std::int64_t index, std::span<float> images,
                       std::span<std::int32_t> labels) {
  const std::int64_t size = batch_size(index);
  const std::int64_t stride = pixels_of(data_.image);
  ACTLAB_CHECK(epoch >= 0, "loader: no epoch ", epoch);
  ACTLAB_CHECK(std::ssize(images) == size * stride && std::ssize(labels) == size, "loader: room for ",
               images.size(), " values and ", labels.size(), " labels, batch ", index, " has ", size,
               " images of ", stride);
  order_epoch(epoch);
  const auto batch =
      std::span(order_).subspan(static_cast<std::size_t>(index * options_.batch), labels.size());
  for (std::size_t i = 0; i < batch.size(); ++i)
    labels[i] = split_.labels[static_cast<std::size_t>(batch[i])];
  parallel_for(size, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      fill_image(epoch, batch[static_cast<std::size_t>(i)], images.data() + i * stride);
  });
}

// Anew each epoch: no epoch depends on those before.
void ImageLoader::order_epoch(std::int64_t epoch) {
  if (!options_.training || ordered_ == epoch) return;
  order_ = permutation(split_.count(),
                       Random(options_.seed, RandomPurpose::shuffle, static_cast<std::uint64_t>(epoch)));
  ordered_ = epoch;
}

// Padding is zero after normalisation, the set's mean colour, as the common recipes have it.
void ImageLoader::fill_image(std::int64_t epoch, std::int64_t image, float* out) const {
  const auto [height, width, channels, classes] = data_.image;
  const View view = options_.augment ? random_view(options_.seed, epoch, image) : View{};
  const std::uint8_t* pixels = split_.pixels.data() + image * pixels_of(data_.image);
  // Column x shows the source's column start + step * x, which exists for x in [first, last).
  const std::int64_t step = view.flipped ? -1 : 1;
  const std::int64_t start = view.right + (view.flipped ? width - 1 : 0);
  const std::int64_t first = std::max<std::int64_t>(0, -step * view.right);
  const std::int64_t last = std::min(width, width - step * view.right);
  for (std::int64_t y = 0; y < height; ++y, out += width * channels) {
    const std::int64_t source_y = y + view.down;
    std::fill_n(out, width * channels, 0.0f);
    if (source_y < 0 || source_y >= height) continue;
    const std::int64_t row = source_y * width + start;
    for (std::int64_t c = 0; c < channels; ++c) {
      const float* normalised = normalised_.data() + 256 * c;
      for (std::int64_t x = first; x < last; ++x)
        out[x * channels + c] = normalised[pixels[(row + step * x) * channels + c]];
    }
  }
}

}  // namespace actlab
