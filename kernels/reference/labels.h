// The check of class labels, before any of them is used as an index.
#pragma once

#include "kernels/array.h"

namespace actlab {

/// The labels (i32, one a row), each in [0, columns); throws Error with the row and the label otherwise.
inline const std::int32_t* checked_labels(ConstArray labels, std::int64_t rows, std::int64_t columns) {
  ACTLAB_CHECK(rows > 0 && labels.count() == rows, "cross-entropy: ", labels.count(), " labels for ", rows,
               " rows; one a row, and at least one, is needed");
  const std::int32_t* values = labels.as<std::int32_t>();
  for (std::int64_t i = 0; i < rows; ++i) {
    ACTLAB_CHECK(values[i] >= 0 && values[i] < columns, "cross-entropy: label ", values[i], " of row ", i,
                 " is outside [0, ", columns, "); check the data's labels and the model's number of classes");
  }
  return values;
}

}  // namespace actlab
