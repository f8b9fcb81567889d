// Average-pooling of NHWC images: each result gathers what it is the sum of, along the channels.
#include "kernels/cpu/average_pool.h"

#include <algorithm>

#include "kernels/cpu/parallel.h"
#include "kernels/f32.h"

namespace actlab {
namespace {

// Channels whose sums stay in the first-level cache.
constexpr std::int64_t strip = 64;

// y (channels) = factor * sum of the pixels of a rectangle of an image whose rows are `row_step` elements.
void sum_of_pixels(const float* x, std::int64_t row_step, std::int64_t rows, std::int64_t columns,
                   std::int64_t channels, double factor, float* y) {
  for (std::int64_t first = 0; first < channels; first += strip) {
    const std::int64_t width = std::min(strip, channels - first);
    double sums[strip] = {};
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t column = 0; column < columns; ++column) {
        const float* pixel = x + row * row_step + column * channels + first;
        for (std::int64_t c = 0; c < width; ++c) sums[c] += double{pixel[c]};
      }
    }
    for (std::int64_t c = 0; c < width; ++c) y[first + c] = static_cast<float>(sums[c] * factor);
  }
}

// The windows along one side that hold a place: [first, end).
struct Windows {
  std::int64_t first, end;
};

Windows windows_of(std::int64_t place, const PoolSizes& s, std::int64_t count) {
  const std::int64_t first = place < s.kernel ? 0 : (place - s.kernel) / s.stride + 1;
  return {first, std::max(first, std::min(place / s.stride + 1, count))};
}

double factor_of(const PoolSizes& s) { return 1 / static_cast<double>(s.kernel * s.kernel); }

}  // namespace

void average_pool(const PoolSizes& s, const float* x, float* y) {
  const std::int64_t c = s.channels, rows = s.out_height(), line = s.out_width() * c;
  parallel_for(s.batch * rows, rows_a_part(line), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const float* top = x + (row / rows * s.height + row % rows * s.stride) * s.width * c;
      for (std::int64_t column = 0; column < s.out_width(); ++column)
        sum_of_pixels(top + column * s.stride * c, s.width * c, s.kernel, s.kernel, c, factor_of(s),
                      y + row * line + column * c);
    }
  });
}

void average_pool_gradient(const PoolSizes& s, const float* dy, float* dx) {
  const std::int64_t c = s.channels, line = s.out_width() * c;
  parallel_for(s.batch * s.height, rows_a_part(s.width * c), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
      const Windows down = windows_of(row % s.height, s, s.out_height());
      const float* top = dy + (row / s.height * s.out_height() + down.first) * line;
      for (std::int64_t column = 0; column < s.width; ++column) {
        const Windows across = windows_of(column, s, s.out_width());
        sum_of_pixels(top + across.first * c, line, down.end - down.first, across.end - across.first, c,
                      factor_of(s), dx + (row * s.width + column) * c);
      }
    }
  });
}

}  // namespace actlab
