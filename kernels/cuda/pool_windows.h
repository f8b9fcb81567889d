// Where the windows of a pooling lie. One window here is one channel of a window of pixels, numbered as the
// elements of y (batch, out_height, out_width, channels).
#pragma once

#include <cstdint>

#include "kernels/backend.h"
#include "kernels/math/target.h"

namespace actlab::cuda {

class PoolWindows {
 public:
  explicit PoolWindows(const PoolSizes& s)
      : channels_(s.channels),
        columns_(s.out_width()),
        rows_(s.out_height()),
        line_(s.width * s.channels),
        image_(s.height * line_),
        count_(s.batch * rows_ * columns_ * channels_),
        kernel_(s.kernel),
        stride_(s.stride) {}

  ACTLAB_HD std::int64_t count() const { return count_; }
  ACTLAB_HD int taps() const { return static_cast<int>(kernel_ * kernel_); }
  /// Of window i, in x.
  ACTLAB_HD std::int64_t first_element(std::int64_t i) const {
    const std::int64_t channel = i % channels_, pixel = i / channels_, column = pixel % columns_;
    const std::int64_t row = pixel / columns_ % rows_, image = pixel / columns_ / rows_;
    return image * image_ + row * stride_ * line_ + column * stride_ * channels_ + channel;
  }
  /// Of a tap from the window's first element.
  ACTLAB_HD std::int64_t offset(int tap) const { return tap / kernel_ * line_ + tap % kernel_ * channels_; }

 private:
  std::int64_t channels_, columns_, rows_, line_, image_, count_;
  std::int64_t kernel_, stride_;
};

}  // namespace actlab::cuda
