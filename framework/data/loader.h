// Batches of a split: which images, in which order, augmented how. Every batch can be made alone: its content
// depends on (seed, epoch, index) only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "framework/data/dataset.h"

namespace actlab {

struct LoaderOptions {
  std::int64_t batch = 128;
  bool shuffle = false;
  bool augment = false;  ///< pad by 4 and crop at random, flip left to right with probability 1/2
  std::uint64_t seed = 0;
};

class Loader {
 public:
  /// Keeps references to the set and to its split. Throws ConfigError where the batch is below 1 or above the
  /// split's count.
  Loader(const ImageDataset& data, const ImageSplit& split, const LoaderOptions& options);

  /// Batches of an epoch; the last may be short.
  std::int64_t batches() const;
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
