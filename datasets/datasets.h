// The data sets by name. Adding one: its file, and its line in datasets.cpp.
#pragma once

#include <vector>

#include "framework/core/component.h"
#include "framework/data/dataset.h"

namespace actlab {

/// Opens and reads the whole set; throws DataError naming the file, what is wrong with it and the remedy.
using DatasetType = Component<std::unique_ptr<ImageDataset>(const Options&)>;

const std::vector<DatasetType>& dataset_types();

}  // namespace actlab
