// The values of a trained parameter as the loops of activations read them.
#pragma once

#include <algorithm>
#include <array>

#include "kernels/f32.h"

namespace actlab {

/// Repeated where they are few, so that a row of them is worth a vector loop: value i % period() belongs to
/// element i. Keeps a pointer to `learned` (f32).
class LearnedRow {
 public:
  explicit LearnedRow(ConstArray learned) : values_(f32("activation", learned)), period_(learned.count()) {
    if (period_ >= least || period_ == 0) return;
    const std::int64_t count = period_;
    period_ = (least + count - 1) / count * count;
    for (std::int64_t i = 0; i < period_; ++i) repeated_[static_cast<std::size_t>(i)] = values_[i % count];
    values_ = repeated_.data();
  }
  LearnedRow(const LearnedRow&) = delete;
  LearnedRow& operator=(const LearnedRow&) = delete;

  const float* values() const { return values_; }
  std::int64_t period() const { return period_; }
  /// Elements of whole rows, about as many as `elements` but one row at least.
  std::int64_t rows_of(std::int64_t elements) const {
    return period_ == 0 ? elements : std::max<std::int64_t>(1, elements / period_) * period_;
  }

 private:
  static constexpr std::int64_t least = 512;

  const float* values_;
  std::int64_t period_;
  std::array<float, 2 * least> repeated_;
};

}  // namespace actlab
