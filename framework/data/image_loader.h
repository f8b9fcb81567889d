// Batches of images: which ones, in which order, augmented how.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/data/image_store.h"

namespace actlab {

class ImageLoader : public Loader {
 public:
  /// Keeps a reference to the split. Images are normalised by the set's mean and deviation. Throws
  /// ConfigError where the batch is below 1 or above the split's count.
  ImageLoader(const ImageDataset& data, const ImageSplit& split, const LoaderOptions& options);

  std::int64_t batches() const override;
  Batch load(std::int64_t epoch, std::int64_t index, Backend& backend) override;

  /// Images of batch `index` of an epoch.
  std::int64_t batch_size(std::int64_t index) const;

 private:
  void order_epoch(std::int64_t epoch);

  const ImageSplit& split_;
  LoaderOptions options_;
  ImageStore store_;
  std::vector<std::int64_t> order_;  ///< of epoch ordered_
  std::int64_t ordered_ = -1;
};

}  // namespace actlab
