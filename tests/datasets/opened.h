// Opens data sets by name as a program would.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <string>
#include <utility>

#include "datasets/datasets.h"
#include "tests/support/as_images.h"

namespace actlab {

using Settings = std::initializer_list<std::pair<const char*, OptionValue>>;

inline std::unique_ptr<Dataset> open_any(const char* name, const Settings& settings) {
  const DatasetType& type = find_component("data set", name, dataset_types());
  Options options(type.options);
  for (const auto& [key, value] : settings) options.set(key, value);
  return type.make(options);
}

/// Of images.
inline std::unique_ptr<ImageDataset> open_dataset(const char* name, const Settings& settings) {
  return as_images(open_any(name, settings));
}

/// Opening the folder fails with one line that has these parts.
inline void expect_data_error(const char* name, const std::string& root,
                              std::initializer_list<std::string> parts) {
  try {
    open_dataset(name, {{"root", root}});
    ADD_FAILURE() << "opened " << root;
  } catch (const DataError& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    for (const std::string& part : parts)
      EXPECT_NE(message.find(part), std::string::npos) << part << ": " << message;
  }
}

}  // namespace actlab
