// im2col and col2im over NHWC: a row of a patch is one contiguous piece of an image's row.
#include "kernels/cpu/openblas/im2col.h"

#include <algorithm>

#include "kernels/cpu/parallel.h"
#include "kernels/f32.h"

namespace actlab {
namespace {

// The part [begin, end) of a kernel row's taps that lies inside an image row, and the column of tap 0.
struct Taps {
  std::int64_t begin, end, column;
};

Taps taps_inside(const ConvolutionSizes& s, std::int64_t out_column) {
  const std::int64_t column = out_column * s.stride_w - s.pad_w;
  const std::int64_t begin = std::clamp<std::int64_t>(-column, 0, s.kernel_w);
  return {begin, std::clamp(s.width - column, begin, s.kernel_w), column};
}

}  // namespace

void gather_patches(const ConvolutionSizes& s, std::int64_t images, const float* x, float* patches) {
  const std::int64_t c = s.in_channels, line = s.kernel_w * c, patch = s.kernel_h * line;
  const std::int64_t rows = s.out_height(), columns = s.out_width();
  parallel_for(images * rows, rows_a_part(columns * patch), [=](std::int64_t begin, std::int64_t end) {
    float* to = patches + begin * columns * patch;
    for (std::int64_t row = begin; row < end; ++row) {
      const float* image = x + row / rows * s.height * s.width * c;
      for (std::int64_t column = 0; column < columns; ++column) {
        const Taps taps = taps_inside(s, column);
        for (std::int64_t i = 0; i < s.kernel_h; ++i, to += line) {
          const std::int64_t x_row = row % rows * s.stride_h + i - s.pad_h;
          if (x_row < 0 || x_row >= s.height || taps.begin == taps.end) {
            std::fill_n(to, line, 0.0f);
            continue;
          }
          std::fill_n(to, taps.begin * c, 0.0f);
          std::copy_n(image + (x_row * s.width + taps.column + taps.begin) * c, (taps.end - taps.begin) * c,
                      to + taps.begin * c);
          std::fill_n(to + taps.end * c, (s.kernel_w - taps.end) * c, 0.0f);
        }
      }
    }
  });
}

void add_patches(const ConvolutionSizes& s, std::int64_t images, const float* patches, float* dx) {
  const std::int64_t c = s.in_channels, line = s.kernel_w * c, patch = s.kernel_h * line;
  const std::int64_t rows = s.out_height(), columns = s.out_width(), size = s.height * s.width * c;
  parallel_for(images, rows_a_part(rows * columns * patch), [=](std::int64_t begin, std::int64_t end) {
    const float* from = patches + begin * rows * columns * patch;
    for (float* image = dx + begin * size; image < dx + end * size; image += size) {
      std::fill_n(image, size, 0.0f);
      for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
          const Taps taps = taps_inside(s, column);
          for (std::int64_t i = 0; i < s.kernel_h; ++i, from += line) {
            const std::int64_t x_row = row * s.stride_h + i - s.pad_h;
            if (x_row < 0 || x_row >= s.height) continue;
            float* to = image + (x_row * s.width + taps.column) * c;
            for (std::int64_t k = taps.begin * c; k < taps.end * c; ++k) to[k] += from[k];
          }
        }
      }
    }
  });
}

}  // namespace actlab
