// What a set of images holds.
#pragma once

#include "experiments/results/table.h"
#include "framework/data/image_dataset.h"

namespace actlab {

/// A row for each class of each split, and one for all its images.
Table image_report(const ImageDataset& data);

}  // namespace actlab
