// A validation split, parted from the training images.
#pragma once

#include "framework/data/dataset.h"

namespace actlab {

/// Moves `share` of the training images, in [0, 0.5], to the validation split; nothing for 0. Of every class
/// the same share, rounded, halves down, so that none loses all its images; both splits keep the order of the
/// images. Which ones is drawn by a fixed key: a set gives the same split to every run, whatever its seed.
/// Throws ConfigError where the set has a validation split of its own, and where no image would be held out.
void hold_out_validation(ImageDataset& data, double share);

}  // namespace actlab
