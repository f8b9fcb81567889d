// Images brought to one size.
#pragma once

#include "datasets/image_file.h"

namespace actlab {

/// How an image becomes a square of another size.
enum class Fit : std::uint8_t {
  refuse,   ///< not at all
  stretch,  ///< the whole image, height and width each by their own factor
  crop,     ///< the largest square in its middle
};

/// side x side pixels by a triangle filter (bilinear) as wide as the coarser of the two grids: every pixel of
/// the source counts when it shrinks. Values are rounded once.
Image resize(const Image& image, std::int64_t side, Fit fit);

}  // namespace actlab
