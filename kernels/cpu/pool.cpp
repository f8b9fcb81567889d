// Pooling of NHWC images: every loop runs along the channels.
#include <algorithm>
#include <cstring>

#include "kernels/cpu/average_pool.h"
#include "kernels/cpu/families.h"
#include "kernels/cpu/parallel.h"
#include "kernels/f32.h"

namespace actlab {
namespace {

// Channels whose running maxima stay in the first-level cache.
constexpr std::int64_t strip = 64;

// One output pixel over `channels` <= strip channels: x is the window's first pixel, its rows lie `row_step`
// and its pixels `pixel_step` elements apart. A NaN stays once it is there; places are 32 bits wide because
// the loop then vectorises.
void max_of_window(const float* x, std::int64_t row_step, std::int64_t pixel_step, std::int64_t kernel,
                   std::int64_t channels, float* y, std::uint8_t* argmax) {
  float best[strip];
  std::int32_t place[strip];
  std::copy_n(x, channels, best);
  std::fill_n(place, channels, 0);
  for (std::int64_t tap = 1; tap < kernel * kernel; ++tap) {
    const float* pixel = x + tap / kernel * row_step + tap % kernel * pixel_step;
    const auto number = static_cast<std::int32_t>(tap);
    for (std::int64_t c = 0; c < channels; ++c) {
      const float value = pixel[c], most = best[c];
      const bool wins = (!(value <= most)) & (most == most);
      best[c] = wins ? value : most;
      place[c] = wins ? number : place[c];
    }
  }
  std::copy_n(best, channels, y);
  for (std::int64_t c = 0; c < channels; ++c) argmax[c] = static_cast<std::uint8_t>(place[c]);
}

// dx of one pixel: dy where it is the window's tap that won.
void gradient_of_tap(const float* __restrict dy, const std::uint8_t* __restrict argmax, std::int64_t tap,
                     std::int64_t channels, float* __restrict dx) {
  const auto number = static_cast<std::int32_t>(tap);
  for (std::int64_t c = 0; c < channels; ++c) {
    const float value = dy[c];
    dx[c] = std::int32_t{argmax[c]} == number ? value : 0.0f;
  }
}

void fill_zero(float* begin, std::int64_t n) {
  std::memset(begin, 0, static_cast<std::size_t>(n) * sizeof(float));
}

// The input rows of one row of windows that do not overlap, each element written once. The last row of
// windows takes the rows below it that no window reaches.
void gradient_of_rows(const PoolSizes& s, std::int64_t out_row, const float* dy, const std::uint8_t* argmax,
                      float* dx) {
  const std::int64_t c = s.channels, line = s.width * c, covered = s.out_width() * s.stride;
  const std::int64_t rows = out_row + 1 < s.out_height() ? s.stride : s.height - out_row * s.stride;
  for (std::int64_t i = 0; i < rows; ++i, dx += line) {
    if (i >= s.kernel) {
      fill_zero(dx, line);
      continue;
    }
    for (std::int64_t window = 0; window < s.out_width(); ++window) {
      float* pixel = dx + window * s.stride * c;
      for (std::int64_t j = 0; j < s.kernel; ++j)
        gradient_of_tap(dy + window * c, argmax + window * c, i * s.kernel + j, c, pixel + j * c);
      const std::int64_t next = std::min((window + 1) * s.stride, s.width);
      fill_zero(pixel + s.kernel * c, (next - window * s.stride - s.kernel) * c);
    }
    if (covered < s.width) fill_zero(dx + covered * c, (s.width - covered) * c);
  }
}

// One image with overlapping windows: sums in the order of the windows.
void gradient_of_image(const PoolSizes& s, const float* dy, const std::uint8_t* argmax, float* dx) {
  const std::int64_t c = s.channels;
  fill_zero(dx, s.height * s.width * c);
  for (std::int64_t row = 0; row < s.out_height(); ++row) {
    for (std::int64_t column = 0; column < s.out_width(); ++column) {
      float* window = dx + (row * s.width + column) * s.stride * c;
      for (std::int64_t i = 0; i < c; ++i, ++dy, ++argmax)
        window[(*argmax / s.kernel * s.width + *argmax % s.kernel) * c + i] += *dy;
    }
  }
}

class CpuPool final : public PoolKernels {
 public:
  void max_forward(const PoolSizes& s, ConstArray x, Array y, Array argmax) override {
    const float* in = f32("max-pool", x);
    float* out = f32("max-pool", y);
    std::uint8_t* places = argmax.as<std::uint8_t>();
    const std::int64_t c = s.channels, rows = s.out_height(), line = s.out_width() * c;
    parallel_for(s.batch * rows, rows_a_part(line), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row) {
        const float* top = in + (row / rows * s.height + row % rows * s.stride) * s.width * c;
        for (std::int64_t column = 0; column < s.out_width(); ++column) {
          for (std::int64_t first = 0; first < c; first += strip) {
            const std::int64_t at = row * line + column * c + first;
            max_of_window(top + column * s.stride * c + first, s.width * c, c, s.kernel,
                          std::min(strip, c - first), out + at, places + at);
          }
        }
      }
    });
  }

  void max_backward(const PoolSizes& s, ConstArray dy, ConstArray argmax, Array dx) override {
    const float* gradient = f32("max-pool", dy);
    float* out = f32("max-pool", dx);
    const std::uint8_t* places = argmax.as<std::uint8_t>();
    const std::int64_t rows = s.out_height(), line = s.out_width() * s.channels;
    const std::int64_t x_line = s.width * s.channels, image = s.height * x_line;
    if (s.stride < s.kernel) {
      parallel_for(s.batch, rows_a_part(image), [=](std::int64_t begin, std::int64_t end) {
        for (std::int64_t n = begin; n < end; ++n)
          gradient_of_image(s, gradient + n * rows * line, places + n * rows * line, out + n * image);
      });
      return;
    }
    parallel_for(s.batch * rows, rows_a_part(s.stride * x_line), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t row = begin; row < end; ++row)
        gradient_of_rows(s, row % rows, gradient + row * line, places + row * line,
                         out + row / rows * image + row % rows * s.stride * x_line);
    });
  }

  void average_forward(const PoolSizes& s, ConstArray x, Array y) override {
    average_pool(s, f32("average-pool", x), f32("average-pool", y));
  }

  void average_backward(const PoolSizes& s, ConstArray dy, Array dx) override {
    average_pool_gradient(s, f32("average-pool", dy), f32("average-pool", dx));
  }
};

}  // namespace

std::unique_ptr<PoolKernels> make_cpu_pool() { return std::make_unique<CpuPool>(); }

}  // namespace actlab
