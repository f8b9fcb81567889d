// The list of data sets, and the error of several files.
#include "datasets/datasets.h"

namespace actlab {
namespace {

std::string describe(std::string_view dataset, const std::vector<std::string>& faults) {
  const std::string first = concat(dataset, ": ", faults.front());
  return faults.size() == 1
             ? first
             : concat(first, " (", faults.size() - 1, " more files have faults: actlab data check ", dataset,
                      " DIR lists them)");
}

}  // namespace

FaultyFiles::FaultyFiles(std::string_view dataset, std::vector<std::string> faults,
                         std::shared_ptr<const Dataset> rest)
    : DataError(describe(dataset, faults)), faults_(std::move(faults)), rest_(std::move(rest)) {}

DatasetType cifar10();
DatasetType fashion_mnist();
DatasetType image_folder();
DatasetType synthetic();
DatasetType text();

namespace {

std::vector<DatasetType>& types() {
  static std::vector<DatasetType> all = {cifar10(), fashion_mnist(), image_folder(), synthetic(), text()};
  return all;
}

}  // namespace

const std::vector<DatasetType>& dataset_types() { return types(); }

void add_dataset(DatasetType type) { add_component("data set", std::move(type), types()); }

}  // namespace actlab
