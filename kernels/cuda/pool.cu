// Pooling of NHWC images on CUDA devices: each result and each gradient gathers what it is made of.
#include "kernels/cuda/f32.h"
#include "kernels/cuda/families.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/pool_windows.h"

namespace actlab {
namespace cuda {
namespace {

// The windows that hold a place of x.
class WindowsOfPlaces {
 public:
  explicit WindowsOfPlaces(const PoolSizes& s)
      : channels_(s.channels),
        height_(s.height),
        width_(s.width),
        rows_(s.out_height()),
        columns_(s.out_width()),
        kernel_(s.kernel),
        stride_(s.stride),
        places_(s.batch * s.height * s.width * s.channels) {}

  ACTLAB_HD std::int64_t places() const { return places_; }

  /// Calls f(window, tap) for the windows that hold element i of x, in their order.
  template <class F>
  ACTLAB_HD void for_each(std::int64_t i, const F& f) const {
    const std::int64_t channel = i % channels_, pixel = i / channels_;
    const std::int64_t column = pixel % width_, line = pixel / width_;
    const std::int64_t row = line % height_, image = line / height_;
    for (std::int64_t r = first(row); r < end(row, rows_); ++r)
      for (std::int64_t c = first(column); c < end(column, columns_); ++c)
        f(((image * rows_ + r) * columns_ + c) * channels_ + channel,
          (row - r * stride_) * kernel_ + column - c * stride_);
  }

 private:
  // Along one side, those that hold a place are [first, end).
  ACTLAB_HD std::int64_t first(std::int64_t place) const {
    return place < kernel_ ? 0 : (place - kernel_) / stride_ + 1;
  }
  ACTLAB_HD std::int64_t end(std::int64_t place, std::int64_t windows) const {
    return std::min(place / stride_ + 1, windows);
  }

  std::int64_t channels_, height_, width_;
  std::int64_t rows_, columns_, kernel_, stride_, places_;
};

__global__ void __launch_bounds__(block_threads)
    max_pool_kernel(PoolWindows windows, const float* x, float* y, std::uint8_t* argmax) {
  for (std::int64_t i = first_piece(); i < windows.count(); i += piece_step()) {
    const float* const window = x + windows.first_element(i);
    float best = window[0];
    int place = 0;
    for (int tap = 1; tap < windows.taps(); ++tap) {
      const float value = window[windows.offset(tap)];
      if (value <= best || best != best) continue;  // the first of equals and the first NaN stay
      best = value;
      place = tap;
    }
    y[i] = best;
    argmax[i] = static_cast<std::uint8_t>(place);
  }
}

__global__ void __launch_bounds__(block_threads)
    max_pool_backward_kernel(WindowsOfPlaces windows, const float* dy, const std::uint8_t* argmax,
                             float* dx) {
  for (std::int64_t i = first_piece(); i < windows.places(); i += piece_step()) {
    float sum = 0;
    windows.for_each(i, [&](std::int64_t window, std::int64_t tap) {
      if (argmax[window] == tap) sum += dy[window];
    });
    dx[i] = sum;
  }
}

__global__ void __launch_bounds__(block_threads)
    average_pool_kernel(PoolWindows windows, double factor, const float* x, float* y) {
  for (std::int64_t i = first_piece(); i < windows.count(); i += piece_step()) {
    const float* const window = x + windows.first_element(i);
    double sum = 0;
    for (int tap = 0; tap < windows.taps(); ++tap) sum += double{window[windows.offset(tap)]};
    y[i] = static_cast<float>(sum * factor);
  }
}

__global__ void __launch_bounds__(block_threads)
    average_pool_backward_kernel(WindowsOfPlaces windows, double factor, const float* dy, float* dx) {
  for (std::int64_t i = first_piece(); i < windows.places(); i += piece_step()) {
    double sum = 0;
    windows.for_each(i, [&](std::int64_t window, std::int64_t) { sum += double{dy[window]}; });
    dx[i] = static_cast<float>(sum * factor);
  }
}

double factor_of(const PoolSizes& s) { return 1 / static_cast<double>(s.kernel * s.kernel); }

class CudaPool final : public PoolKernels {
 public:
  void max_forward(const PoolSizes& s, ConstArray x, Array y, Array argmax) override {
    const PoolWindows windows(s);
    launch("max-pool", max_pool_kernel, grid_for(windows.count()), windows, f32("max-pool", x),
           f32("max-pool", y), argmax.as<std::uint8_t>());
  }

  void max_backward(const PoolSizes& s, ConstArray dy, ConstArray argmax, Array dx) override {
    const WindowsOfPlaces windows(s);
    launch("max-pool", max_pool_backward_kernel, grid_for(windows.places()), windows, f32("max-pool", dy),
           argmax.as<std::uint8_t>(), f32("max-pool", dx));
  }

  void average_forward(const PoolSizes& s, ConstArray x, Array y) override {
    const PoolWindows windows(s);
    launch("average-pool", average_pool_kernel, grid_for(windows.count()), windows, factor_of(s),
           f32("average-pool", x), f32("average-pool", y));
  }

  void average_backward(const PoolSizes& s, ConstArray dy, Array dx) override {
    const WindowsOfPlaces windows(s);
    launch("average-pool", average_pool_backward_kernel, grid_for(windows.places()), windows, factor_of(s),
           f32("average-pool", dy), f32("average-pool", dx));
  }
};

}  // namespace
}  // namespace cuda

std::unique_ptr<PoolKernels> make_cuda_pool() { return std::make_unique<cuda::CudaPool>(); }

}  // namespace actlab
