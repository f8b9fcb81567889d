// A split's pixels where the kernels of a backend reach them.
#pragma once

#include <span>
#include <vector>

#include "framework/data/image_dataset.h"

namespace actlab {

/// Views of a split's images. A device is given all pixels once where they take at most half of its free
/// memory, else those of each batch.
class ImageStore {
 public:
  /// Keeps a reference to the split. A value v of channel c is seen as shades[256 * c + v].
  ImageStore(const ImageSplit& split, const ImageSpec& image, std::vector<float> shades);

  /// (views, height, width, channels), f32.
  Tensor view(std::span<const ImageView> views, Backend& backend);

 private:
  void move_to(Backend& backend);

  const ImageSplit& split_;
  ImageSpec image_;
  std::vector<float> shades_;
  Backend* backend_ = nullptr;  ///< that the next two are on
  Tensor shades_there_;
  Tensor pixels_there_;  ///< undefined where they are too many
};

}  // namespace actlab
