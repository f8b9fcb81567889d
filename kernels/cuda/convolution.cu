// Convolution on CUDA devices: each pass is one product of matrices that are gathered where they lie, pixels
// by taps. A tap is a place of the kernel and a channel under it.
#include "kernels/cuda/axis.h"
#include "kernels/cuda/bias.h"
#include "kernels/cuda/families.h"
#include "kernels/cuda/gathered_product.h"
#include "kernels/cuda/operands.h"

namespace actlab {
namespace {

using cuda::ProductResult, cuda::ProductSizes;

constexpr const char* operation = "convolution";

int narrow(std::int64_t size) {
  ACTLAB_CHECK(size >= 0 && size < std::int64_t{1} << 30, operation, ": a size of ", size,
               "; the cuda backend takes images, kernels and channels of less than 2^30 places");
  return static_cast<int>(size);
}

/// A number as digits: (image, row, column) of a pixel, (row, column, channel) of a tap.
struct Digits {
  std::int64_t high;
  int middle, low;
};

/// Numbers whose lower two digits count to these sizes.
struct Radix {
  int middle, low;

  ACTLAB_HD Digits split(std::int64_t i) const {
    const std::int64_t upper = i / low;
    return {upper / middle, static_cast<int>(upper % middle), static_cast<int>(i % low)};
  }
  ACTLAB_HD void advance(Digits& digits, int n) const {
    digits.low += n;
    while (digits.low >= low) {
      digits.low -= low;
      if (++digits.middle < middle) continue;
      digits.middle = 0;
      ++digits.high;
    }
  }
};

/// Along one side: the place of x under tap t of y's pixel p.
struct UnderTap {
  int stride, pad;
  ACTLAB_HD int of(int pixel, int tap) const { return pixel * stride - pad + tap; }
};
/// The other way: y's pixel whose tap t lies on the place p of x; negative where there is none.
struct OverTap {
  int stride, pad;
  ACTLAB_HD int of(int place, int tap) const {
    const int distance = place + pad - tap;
    if (stride == 1) return distance;
    return distance % stride == 0 ? distance / stride : -1;
  }
};

/// The elements of an array (images, height, width, channels) that pixels of another one, of the same images,
/// meet by their taps; 0 outside.
template <class T, class Side>
struct Patches {
  const T* data;
  int height, width, channels;
  std::int64_t image;  // elements
  Side down, across;
  Radix pixels, taps;

  ACTLAB_HD float at(const Digits& pixel, const Digits& tap) const {
    const int row = down.of(pixel.middle, static_cast<int>(tap.high)),
              column = across.of(pixel.low, tap.middle);
    if (row < 0 || row >= height || column < 0 || column >= width) return 0.0f;
    const auto place = static_cast<std::int64_t>(row * width + column);
    return math::to_float(data[pixel.high * image + place * channels + tap.low]);
  }
};

/// x under the taps of y's pixels.
template <class T>
Patches<T, UnderTap> patches_of_x(const ConvolutionSizes& s, const T* x) {
  narrow(s.height * s.width);
  return {.data = x,
          .height = narrow(s.height),
          .width = narrow(s.width),
          .channels = narrow(s.in_channels),
          .image = s.height * s.width * s.in_channels,
          .down = {narrow(s.stride_h), narrow(s.pad_h)},
          .across = {narrow(s.stride_w), narrow(s.pad_w)},
          .pixels = {narrow(s.out_height()), narrow(s.out_width())},
          .taps = {narrow(s.kernel_w), narrow(s.in_channels)}};
}
/// dy over the places of x.
template <class T>
Patches<T, OverTap> patches_of_dy(const ConvolutionSizes& s, const T* dy) {
  narrow(s.out_height() * s.out_width());
  return {.data = dy,
          .height = narrow(s.out_height()),
          .width = narrow(s.out_width()),
          .channels = narrow(s.out_channels),
          .image = s.out_height() * s.out_width() * s.out_channels,
          .down = {narrow(s.stride_h), narrow(s.pad_h)},
          .across = {narrow(s.stride_w), narrow(s.pad_w)},
          .pixels = {narrow(s.height), narrow(s.width)},
          .taps = {narrow(s.kernel_w), narrow(s.out_channels)}};
}

// Operands of the products.

/// Lines are pixels, k taps.
template <class T, class Side>
struct PixelsByTaps {
  static constexpr bool along_k = true;
  Patches<T, Side> patches;
  __device__ Digits line(std::int64_t pixel) const { return patches.pixels.split(pixel); }
  __device__ Digits cursor(std::int64_t tap) const { return patches.taps.split(tap); }
  __device__ void advance(Digits& tap, int n) const { patches.taps.advance(tap, n); }
  __device__ float at(const Digits& pixel, const Digits& tap) const { return patches.at(pixel, tap); }
};

/// Lines are taps, k pixels.
template <class T>
struct TapsByPixels {
  static constexpr bool along_k = false;
  Patches<T, UnderTap> patches;
  __device__ Digits line(std::int64_t tap) const { return patches.taps.split(tap); }
  __device__ Digits cursor(std::int64_t pixel) const { return patches.pixels.split(pixel); }
  __device__ void advance(Digits& pixel, int n) const { patches.pixels.advance(pixel, n); }
  __device__ float at(const Digits& tap, const Digits& pixel) const { return patches.at(pixel, tap); }
};

/// Lines are output channels, k taps: filters as they are stored, `taps` for each.
template <class T>
struct FiltersByTaps {
  static constexpr bool along_k = true;
  const T* w;
  std::int64_t taps;
  __device__ const T* line(std::int64_t filter) const { return w + filter * taps; }
  __device__ std::int64_t cursor(std::int64_t tap) const { return tap; }
  __device__ void advance(std::int64_t& tap, int n) const { tap += n; }
  __device__ float at(const T* filter, std::int64_t tap) const { return math::to_float(filter[tap]); }
};

/// Lines are input channels, k taps of dy: (row, column, output channel).
template <class T>
struct ChannelsByTaps {
  static constexpr bool along_k = false;
  const T* w;
  std::int64_t kernel_h, kernel_w, channels;
  Radix taps;
  __device__ std::int64_t line(std::int64_t channel) const { return channel; }
  __device__ Digits cursor(std::int64_t tap) const { return taps.split(tap); }
  __device__ void advance(Digits& tap, int n) const { taps.advance(tap, n); }
  __device__ float at(std::int64_t channel, const Digits& tap) const {
    return math::to_float(w[((tap.low * kernel_h + tap.high) * kernel_w + tap.middle) * channels + channel]);
  }
};

/// Lines are output channels, k pixels: dy as it is stored.
template <class T>
struct GradientsByPixels {
  static constexpr bool along_k = false;
  const T* dy;
  std::int64_t channels;
  __device__ std::int64_t line(std::int64_t channel) const { return channel; }
  __device__ const T* cursor(std::int64_t pixel) const { return dy + pixel * channels; }
  __device__ void advance(const T*& pixel, int n) const { pixel += n * channels; }
  __device__ float at(std::int64_t channel, const T* pixel) const { return math::to_float(pixel[channel]); }
};

/// A sum over pixels in parts that the sizes alone say: short enough for a sum in f32, and there are about
/// 512 tiles of results where parts of 256 pixels and more give as many.
ProductSizes sizes_in_parts(std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t tiles = (m + 63) / 64 * ((n + 63) / 64);
  const std::int64_t length = std::clamp<std::int64_t>(k * tiles / 512, 256, 8192);
  return {m, n, k, (k + length - 1) / length, length};
}

/// y (count) = the sum of partials (parts, count) over the parts, in order.
__global__ void __launch_bounds__(cuda::block_threads)
    join_parts_kernel(std::int64_t parts, std::int64_t count, const float* partials, float* y) {
  for (std::int64_t i = cuda::first_piece(); i < count; i += cuda::piece_step()) {
    double sum = 0;
#pragma unroll 8
    for (std::int64_t part = 0; part < parts; ++part) sum += static_cast<double>(partials[part * count + i]);
    y[i] = static_cast<float>(sum);
  }
}

class CudaConvolution final : public ConvolutionKernels {
 public:
  explicit CudaConvolution(Memory& memory) : memory_(memory) {}

  std::string implementation() const override {
    return concat("actlab CUDA ", cuda::device().major, ".", cuda::device().minor, ", implicit GEMM");
  }
  bool native(DType dtype) const override { return cuda::native(dtype); }

  void forward(const ConvolutionSizes& s, ConstArray x, ConstArray w, ConstArray bias, Array y) override {
    cuda::check_operands(operation, x.dtype, w.dtype, y.dtype);
    const float* row = bias.data == nullptr ? nullptr : bias.as<float>();
    const std::int64_t pixels = s.batch * s.out_height() * s.out_width(),
                       taps = s.kernel_h * s.kernel_w * s.in_channels;
    if (taps == 0) {
      memory_.zero(y.data, y.count() * static_cast<std::int64_t>(size_of(y.dtype)));
      if (bias.data != nullptr) cuda::add_bias(y, bias, y);
      return;
    }
    cuda::for_operands(operation, x.dtype, y.dtype, [&]<class T, class Result>(T, Result) {
      cuda::product(operation, {pixels, s.out_channels, taps, 1, taps},
                    PixelsByTaps{patches_of_x(s, x.as<T>())}, FiltersByTaps<T>{w.as<T>(), taps},
                    ProductResult(y.as<Result>(), row, s.out_channels));
    });
  }

  void backward_data(const ConvolutionSizes& s, ConstArray dy, ConstArray w, Array dx) override {
    cuda::check_operands(operation, dy.dtype, w.dtype, dx.dtype);
    const std::int64_t pixels = s.batch * s.height * s.width, taps = s.kernel_h * s.kernel_w * s.out_channels;
    if (taps == 0) return memory_.zero(dx.data, dx.count() * static_cast<std::int64_t>(size_of(dx.dtype)));
    cuda::for_operands(operation, dy.dtype, dx.dtype, [&]<class T, class Result>(T, Result) {
      const auto patches = patches_of_dy(s, dy.as<T>());
      cuda::product(operation, {pixels, s.in_channels, taps, 1, taps}, PixelsByTaps{patches},
                    ChannelsByTaps<T>{w.as<T>(), s.kernel_h, s.kernel_w, s.in_channels, patches.taps},
                    ProductResult(dx.as<Result>(), nullptr, s.in_channels));
    });
  }

  void backward_weights(const ConvolutionSizes& s, ConstArray x, ConstArray dy, Array dw,
                        Array dbias) override {
    cuda::check_operands(operation, x.dtype, dy.dtype, dw.dtype);
    const std::int64_t pixels = s.batch * s.out_height() * s.out_width(),
                       taps = s.kernel_h * s.kernel_w * s.in_channels;
    const ProductSizes sizes = sizes_in_parts(s.out_channels, taps, pixels);
    const std::int64_t count = dw.count();
    const Buffer room(memory_, sizes.parts * count * std::int64_t{sizeof(float)}, MemoryKind::workspace);
    float* const partials = static_cast<float*>(room.data());
    cuda::for_float(operation, x.dtype, [&]<class T>(T) {
      cuda::product(operation, sizes, GradientsByPixels<T>{dy.as<T>(), s.out_channels},
                    TapsByPixels{patches_of_x(s, x.as<T>())}, ProductResult(partials, nullptr, taps));
    });
    cuda::launch(operation, join_parts_kernel, cuda::grid_for(count), sizes.parts, count, partials,
                 dw.as<float>());
    if (dbias.data != nullptr) cuda::sum_axis(memory_, {1, pixels, s.out_channels}, dy, dbias);
  }

 private:
  Memory& memory_;
};

}  // namespace

std::unique_ptr<ConvolutionKernels> make_cuda_convolution(Memory& memory) {
  return std::make_unique<CudaConvolution>(memory);
}

}  // namespace actlab
