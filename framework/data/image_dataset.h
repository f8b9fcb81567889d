// A labelled set of images in memory.
#pragma once

#include <optional>

#include "framework/data/dataset.h"

namespace actlab {

/// Images of one split.
struct ImageSplit {
  std::vector<std::uint8_t> pixels;  ///< (count, H, W, C)
  std::vector<std::int32_t> labels;  ///< (count), each in [0, classes)

  std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }
};

struct ImageDataset : Dataset {
  ImageSpec image;  ///< size of every image, and how many classes there are
  std::vector<std::string> class_names;
  std::vector<float> mean;  ///< per channel, of pixel / 255
  std::vector<float> deviation;
  ImageSplit train;
  ImageSplit test;
  std::optional<ImageSplit> validation;  ///< parted from the training images, or the source's own

  DataSpec spec() const override { return image; }
  std::int64_t count(SplitName split) const override;
  /// An ImageLoader.
  std::unique_ptr<Loader> loader(SplitName split, const LoaderOptions& options) const override;
  /// Of every class the same share, rounded, halves down, so that none loses all its images; both splits keep
  /// the order of the images. Which ones is drawn by a fixed key. Throws ConfigError where the set has a
  /// validation split of its own, and where nothing would be held out.
  void hold_out_validation(double share) override;
  std::vector<std::string> classes() const override { return class_names; }

  /// Null where there is no such split.
  const ImageSplit* find(SplitName split) const;
};

}  // namespace actlab
