// What every data set declares.
#include <set>

#include "tests/datasets/opened.h"

namespace actlab {
namespace {

TEST(Datasets, SayWhatTheyAre) {
  std::set<std::string> names;
  for (const DatasetType& type : dataset_types()) {
    EXPECT_TRUE(names.insert(type.name).second) << type.name;
    EXPECT_FALSE(type.summary.empty()) << type.name;
    for (const Option& option : type.options) {
      EXPECT_FALSE(option.help.empty()) << type.name << '.' << option.name;
      EXPECT_TRUE(option.accept(option.fallback)) << type.name << '.' << option.name;
    }
  }
  EXPECT_THROW(find_component("data set", "cifar", dataset_types()), ConfigError);
}

TEST(Datasets, AbsentFoldersSayWhatToDo) {
  expect_data_error("cifar10", "absent/folder", {"absent/folder", "cifar-10-binary.tar.gz", "data.root=DIR"});
  expect_data_error("fashion_mnist", "absent/folder",
                    {"absent/folder", "apt-get install dataset-fashion-mnist"});
}

}  // namespace
}  // namespace actlab
