// A labelled set of images in memory, as every source of datasets/ gives it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace actlab {

/// What a model must know of the data.
struct ImageSpec {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t channels = 0;
  std::int64_t classes = 0;
};

/// Images of one split.
struct ImageSplit {
  std::vector<std::uint8_t> pixels;  ///< (count, H, W, C)
  std::vector<std::int32_t> labels;  ///< (count), each in [0, classes)

  std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }
};

struct ImageDataset {
  std::string name;    ///< "cifar10": the kind of source
  std::string origin;  ///< where it came from: a folder, a seed
  ImageSpec spec;
  std::vector<std::string> class_names;
  std::vector<float> mean;  ///< per channel, of pixel / 255
  std::vector<float> deviation;
  ImageSplit train;
  ImageSplit test;
  std::optional<ImageSplit> validation;  ///< parted from the training images, or the source's own
  std::string checksum;                  ///< of the images; empty where name and options fix them
  std::vector<std::string> notes;        ///< what its user should hear of: files that were passed over
};

}  // namespace actlab
