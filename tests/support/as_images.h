// A data set that is known to hold images.
#pragma once

#include <memory>

#include "framework/data/image_dataset.h"

namespace actlab {

/// Throws std::bad_cast where it holds others.
inline std::unique_ptr<ImageDataset> as_images(std::unique_ptr<Dataset> data) {
  auto images = std::unique_ptr<ImageDataset>(&dynamic_cast<ImageDataset&>(*data));
  data.release();
  return images;
}

}  // namespace actlab
