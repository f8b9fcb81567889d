// The list of data sets.
#include "datasets/datasets.h"

namespace actlab {

DatasetType cifar10();
DatasetType fashion_mnist();
DatasetType synthetic();

const std::vector<DatasetType>& dataset_types() {
  static const std::vector<DatasetType> types = {cifar10(), fashion_mnist(), synthetic()};
  return types;
}

}  // namespace actlab
