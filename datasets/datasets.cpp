// The list of data sets.
#include "datasets/datasets.h"

namespace actlab {

const std::vector<DatasetType>& dataset_types() {
  static const std::vector<DatasetType> types = {};
  return types;
}

}  // namespace actlab
