// Pooling of NHWC images on CUDA devices: each result and each gradient gathers what it is made of.
#include "kernels/cuda/families.h"
#include "kernels/cuda/pool_windows.h"
#include "kernels/f32.h"

namespace actlab {
namespace cuda {
namespace {

// The windows that hold a place of x, both in packs.
class WindowsOfPlaces {
 public:
  /// s.channels counts packs.
  explicit WindowsOfPlaces(const PoolSizes& s)
      : channels_(s.channels),
        width_(s.width),
        height_(s.height),
        stride_(s.stride),
        kernel_(s.kernel),
        rows_(s.out_height()),
        columns_(s.out_width()),
        places_(s.batch * s.height * s.width * s.channels) {}

  ACTLAB_HD std::int64_t places() const { return places_; }

  /// Calls f(window, tap) for the windows that hold place i of x, in their order.
  template <class F>
  __device__ void for_each(std::int64_t i, const F& f) const {
    const auto [pixel, channel] = channels_.divide(i);
    const auto [line, column] = width_.divide(pixel);
    const auto [image, row] = height_.divide(line);
    const std::int64_t left = first(column), right = end(column, columns_), bottom = end(row, rows_);
    for (std::int64_t r = first(row); r < bottom; ++r)
      for (std::int64_t c = left; c < right; ++c)
        f(((image * rows_ + r) * columns_ + c) * channels_.divisor() + channel,
          static_cast<int>((row - r * stride_.divisor()) * kernel_ + column - c * stride_.divisor()));
  }

 private:
  // Along one side, those that hold a place are [first, end).
  ACTLAB_HD std::int64_t first(std::int64_t place) const {
    return place < kernel_ ? 0 : stride_.whole(place - kernel_) + 1;
  }
  ACTLAB_HD std::int64_t end(std::int64_t place, std::int64_t windows) const {
    return std::min(stride_.whole(place) + 1, windows);
  }

  Divisor channels_, width_, height_, stride_;
  std::int64_t kernel_, rows_, columns_, places_;
};

template <int n>
__global__ void __launch_bounds__(block_threads)
    max_pool_kernel(PoolWindows windows, const Pack<float, n>* x, Pack<float, n>* y,
                    Pack<std::uint8_t, n>* argmax) {
  for (std::int64_t i = first_piece(); i < windows.count(); i += piece_step()) {
    const Pack<float, n>* const window = x + windows.first_element(i);
    Largest<n> largest;
    windows.for_each_tap([&](int tap, std::int64_t offset) { largest.meet(tap, window[offset]); });
    y[i] = largest.values;
    argmax[i] = largest.taps;
  }
}

template <int n>
__global__ void __launch_bounds__(block_threads)
    max_pool_backward_kernel(WindowsOfPlaces windows, const Pack<float, n>* dy,
                             const Pack<std::uint8_t, n>* argmax, Pack<float, n>* dx) {
  for (std::int64_t i = first_piece(); i < windows.places(); i += piece_step()) {
    Pack<float, n> sums{};
    windows.for_each(i, [&](std::int64_t window, int tap) {
      const Pack<std::uint8_t, n> taps = argmax[window];
      const Pack<float, n> gradients = dy[window];
#pragma unroll
      for (int k = 0; k < n; ++k)
        if (taps.values[k] == tap) sums.values[k] += gradients.values[k];
    });
    dx[i] = sums;
  }
}

// Sums in double, and their means, rounded.
template <int n>
struct Sums {
  __device__ void add(Pack<float, n> x) {
#pragma unroll
    for (int k = 0; k < n; ++k) values[k] += double{x.values[k]};
  }
  __device__ Pack<float, n> times(double factor) const {
    Pack<float, n> rounded;
#pragma unroll
    for (int k = 0; k < n; ++k) rounded.values[k] = static_cast<float>(values[k] * factor);
    return rounded;
  }

  double values[n] = {};
};

template <int n>
__global__ void __launch_bounds__(block_threads)
    average_pool_kernel(PoolWindows windows, double factor, const Pack<float, n>* x, Pack<float, n>* y) {
  for (std::int64_t i = first_piece(); i < windows.count(); i += piece_step()) {
    const Pack<float, n>* const window = x + windows.first_element(i);
    Sums<n> sums;
    windows.for_each_tap([&](int, std::int64_t offset) { sums.add(window[offset]); });
    y[i] = sums.times(factor);
  }
}

template <int n>
__global__ void __launch_bounds__(block_threads)
    average_pool_backward_kernel(WindowsOfPlaces windows, double factor, const Pack<float, n>* dy,
                                 Pack<float, n>* dx) {
  for (std::int64_t i = first_piece(); i < windows.places(); i += piece_step()) {
    Sums<n> sums;
    windows.for_each(i, [&](std::int64_t window, int) { sums.add(dy[window]); });
    dx[i] = sums.times(factor);
  }
}

double factor_of(const PoolSizes& s) { return 1 / static_cast<double>(s.kernel * s.kernel); }

class CudaPool final : public PoolKernels {
 public:
  void max_forward(const PoolSizes& s, ConstArray x, Array y, Array argmax) override {
    const auto start = [&]<int n>(const PoolSizes& sizes, const Pack<float, n>* in, Pack<float, n>* out,
                                  Pack<std::uint8_t, n>* taps) {
      const PoolWindows windows(sizes);
      launch("max-pool", max_pool_kernel<n>, grid_for(windows.count()), windows, in, out, taps);
    };
    by_packs(s, start, f32("max-pool", x), f32("max-pool", y), argmax.as<std::uint8_t>());
  }

  void max_backward(const PoolSizes& s, ConstArray dy, ConstArray argmax, Array dx) override {
    const auto start = [&]<int n>(const PoolSizes& sizes, const Pack<float, n>* upstream,
                                  const Pack<std::uint8_t, n>* taps, Pack<float, n>* out) {
      const WindowsOfPlaces windows(sizes);
      launch("max-pool", max_pool_backward_kernel<n>, grid_for(windows.places()), windows, upstream, taps,
             out);
    };
    by_packs(s, start, f32("max-pool", dy), argmax.as<std::uint8_t>(), f32("max-pool", dx));
  }

  void average_forward(const PoolSizes& s, ConstArray x, Array y) override {
    const auto start = [&]<int n>(const PoolSizes& sizes, const Pack<float, n>* in, Pack<float, n>* out) {
      const PoolWindows windows(sizes);
      launch("average-pool", average_pool_kernel<n>, grid_for(windows.count()), windows, factor_of(s), in,
             out);
    };
    by_packs(s, start, f32("average-pool", x), f32("average-pool", y));
  }

  void average_backward(const PoolSizes& s, ConstArray dy, Array dx) override {
    const auto start = [&]<int n>(const PoolSizes& sizes, const Pack<float, n>* upstream,
                                  Pack<float, n>* out) {
      const WindowsOfPlaces windows(sizes);
      launch("average-pool", average_pool_backward_kernel<n>, grid_for(windows.places()), windows,
             factor_of(s), upstream, out);
    };
    by_packs(s, start, f32("average-pool", dy), f32("average-pool", dx));
  }
};

}  // namespace
}  // namespace cuda

std::unique_ptr<PoolKernels> make_cuda_pool() { return std::make_unique<cuda::CudaPool>(); }

}  // namespace actlab
