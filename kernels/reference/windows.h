// A walk over pooling windows.
#pragma once

#include "kernels/backend.h"

namespace actlab {

// Calls f(output, input): the place of each window's result, and of the input under each of its taps.
template <class F>
void for_each_window(const PoolSizes& s, const F& f) {
  for (std::int64_t n = 0; n < s.batch; ++n)
    for (std::int64_t row = 0; row < s.out_height(); ++row)
      for (std::int64_t column = 0; column < s.out_width(); ++column)
        for (std::int64_t c = 0; c < s.channels; ++c) {
          const auto input = [&, n, row, column, c](std::int64_t tap) {
            const std::int64_t x_row = row * s.stride + tap / s.kernel;
            const std::int64_t x_column = column * s.stride + tap % s.kernel;
            return ((n * s.height + x_row) * s.width + x_column) * s.channels + c;
          };
          f(((n * s.out_height() + row) * s.out_width() + column) * s.channels + c, input);
        }
}

}  // namespace actlab
