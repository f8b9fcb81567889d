// The data sets by name. Adding one: its file, and its line in datasets.cpp, or of a program's own main().
#pragma once

#include <vector>

#include "framework/core/component.h"
#include "framework/data/dataset.h"

namespace actlab {

/// Opens and reads the whole set; throws DataError naming the file, what is wrong with it and the remedy, or
/// FaultyFiles where it went on after the first.
using DatasetType = Component<std::unique_ptr<Dataset>(const Options&)>;

const std::vector<DatasetType>& dataset_types();
/// As add_model.
void add_dataset(DatasetType type);

/// Files of a set that cannot be used: what() has the first and says how many more there are.
class FaultyFiles : public DataError {
 public:
  FaultyFiles(std::string_view dataset, std::vector<std::string> faults, std::shared_ptr<const Dataset> rest);

  /// A line a file, by path.
  const std::vector<std::string>& faults() const { return faults_; }
  /// The set without them.
  const std::shared_ptr<const Dataset>& rest() const { return rest_; }

 private:
  std::vector<std::string> faults_;
  std::shared_ptr<const Dataset> rest_;
};

}  // namespace actlab
