// The check of class labels, before any of them is used as an index, and of answers by them.
#pragma once

#include <algorithm>
#include <optional>

#include "kernels/array.h"

namespace actlab {

/// The labels of rows, and which of them count.
struct RowLabels {
  const std::int32_t* values;  ///< one a row
  std::optional<std::int32_t> ignored;
  std::int64_t counted;  ///< rows that are not ignored

  bool ignores(std::int64_t row) const { return ignored == values[row]; }
};

/// Labels (i32, one a row), each in [0, columns) or the ignored one; throws Error with the row and the label
/// otherwise.
inline RowLabels checked_labels(ConstArray labels, std::int64_t rows, std::int64_t columns,
                                std::optional<std::int32_t> ignored) {
  ACTLAB_CHECK(rows > 0 && labels.count() == rows, "cross-entropy: ", labels.count(), " labels for ", rows,
               " rows; one a row, and at least one, is needed");
  RowLabels checked{labels.as<std::int32_t>(), ignored, 0};
  for (std::int64_t i = 0; i < rows; ++i) {
    if (checked.ignores(i)) continue;
    const std::int32_t label = checked.values[i];
    ACTLAB_CHECK(label >= 0 && label < columns, "cross-entropy: label ", label, " of row ", i,
                 " is outside [0, ", columns, "); check the data's labels and the model's number of classes");
    ++checked.counted;
  }
  return checked;
}

/// Whether the first largest of `columns` scores is at the label; not where one is NaN.
template <class T>
bool is_correct(const T* scores, std::int64_t columns, std::int32_t label) {
  if (label < 0 || label >= columns) return false;
  const T* const wanted = scores + label;
  return std::all_of(scores, wanted, [=](T score) { return score < *wanted; }) &&
         std::all_of(wanted, scores + columns, [=](T score) { return score <= *wanted; });
}

}  // namespace actlab
