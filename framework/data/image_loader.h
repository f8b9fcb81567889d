// Batches of images: which ones, in which order, augmented how.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/data/image_dataset.h"

namespace actlab {

class ImageLoader : public Loader {
 public:
  /// Keeps references to the set and to its split. Throws ConfigError where the batch is below 1 or above the
  /// split's count.
  ImageLoader(const ImageDataset& data, const ImageSplit& split, const LoaderOptions& options);

  std::int64_t batches() const override;
  Batch load(std::int64_t epoch, std::int64_t index, Backend& backend) override;

  /// Images of batch `index` of an epoch.
  std::int64_t batch_size(std::int64_t index) const;
  /// Fills images (size, H, W, C), normalised by the set's mean and deviation, and labels (size).
  void fill(std::int64_t epoch, std::int64_t index, std::span<float> images, std::span<std::int32_t> labels);

 private:
  void order_epoch(std::int64_t epoch);
  void fill_image(std::int64_t epoch, std::int64_t image, float* out) const;

  const ImageDataset& data_;
  const ImageSplit& split_;
  LoaderOptions options_;
  std::vector<float> normalised_;    ///< (C, 256): a pixel value as the model sees it
  std::vector<std::int64_t> order_;  ///< of epoch ordered_
  std::int64_t ordered_ = -1;
};

}  // namespace actlab
