// Rows that start as the bias.
#pragma once

#include <algorithm>

#include "kernels/cpu/parallel.h"
#include "kernels/f32.h"

namespace actlab {

/// y (rows, columns) = bias (columns), or zeros where bias is null.
inline void fill_rows(const float* bias, std::int64_t rows, std::int64_t columns, float* y) {
  parallel_for(rows, rows_a_part(columns), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      if (bias == nullptr) {
        std::fill_n(y + i * columns, columns, 0.0f);
      } else {
        std::copy_n(bias, columns, y + i * columns);
      }
    }
  });
}

}  // namespace actlab
