// Views of images, checked; the backends share it.
#pragma once

#include <span>

#include "kernels/backend.h"

namespace actlab {

/// Throws Error where a view's image is not one of pixels (images, height, width, channels).
inline void check_views(const ConstArray& pixels, std::span<const ImageView> views) {
  for (std::size_t i = 0; i < views.size(); ++i)
    ACTLAB_CHECK(views[i].image >= 0 && views[i].image < pixels.shape[0], "view images: image ",
                 views[i].image, " at place ", i, " is outside [0, ", pixels.shape[0] - 1, "]");
}

}  // namespace actlab
