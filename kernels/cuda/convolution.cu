// Convolution on CUDA devices: each pass is one product of matrices that are gathered where they lie, pixels
// by taps. A tap is a place of the kernel and a channel under it.
#include "kernels/cuda/axis.h"
#include "kernels/cuda/bias.h"
#include "kernels/cuda/families.h"
#include "kernels/cuda/gathered_product.h"
#include "kernels/cuda/operands.h"
#include "kernels/cuda/places.h"

namespace actlab {
namespace {

using cuda::ProductResult, cuda::ProductSizes;

constexpr const char* operation = "convolution";

int narrow(std::int64_t size) {
  ACTLAB_CHECK(size >= 0 && size < std::int64_t{1} << 30, operation, ": a size of ", size,
               "; the cuda backend takes images and filters of less than 2^30 elements");
  return static_cast<int>(size);
}

/// A number as digits: (image, row, column) of a pixel, (row, column, channel) of a tap. An image is where it
/// begins.
template <class High>
struct Digits {
  High high;
  int middle, low;
};

/// Numbers whose lower two digits count to these sizes; the high one goes up by steps.
struct Radix {
  int middle, low, step = 1;

  template <class High>
  __device__ Digits<High> split(std::int64_t i, High zero) const {
    const std::int64_t upper = i / low;
    return {static_cast<High>(zero + upper / middle * step), static_cast<int>(upper % middle),
            static_cast<int>(i % low)};
  }
  template <class High>
  __device__ void advance(Digits<High>& digits, int n) const {
    digits.low += n;
    while (digits.low >= low) {
      digits.low -= low;
      if (++digits.middle < middle) continue;
      digits.middle = 0;
      digits.high += step;
    }
  }
};
using Tap = Digits<int>;
template <class T>
using Pixel = Digits<const T*>;

/// Along one side: the place of x under tap t of y's pixel p.
struct UnderTap {
  int stride, pad;
  ACTLAB_HD int of(int pixel, int tap) const { return pixel * stride - pad + tap; }
};
/// The other way: y's pixel whose tap t lies on the place p of x; negative where there is none.
struct OverTap {
  cuda::DivisorOf<int> stride;
  int pad;
  ACTLAB_HD int of(int place, int tap) const {
    const int distance = place + pad - tap;
    if (distance < 0) return -1;
    const auto [pixel, rest] = stride.divide(distance);
    return rest == 0 ? pixel : -1;
  }
};

/// The elements of an array (images, height, width, channels) that pixels of another one, of the same images,
/// meet by their taps.
template <class T, class Side>
struct Patches {
  const T* data;
  int height, width, channels;
  Side down, across;
  Radix pixels, taps;

  __device__ const T* at(const Pixel<T>& pixel, const Tap& tap, const T* outside) const {
    const int row = down.of(pixel.middle, tap.high), column = across.of(pixel.low, tap.middle);
    if (!within(row, height) || !within(column, width)) return outside;
    const int element = (row * width + column) * channels + tap.low;
    return pixel.high + element;
  }
  /// Whether 0 <= place < size.
  __device__ static bool within(int place, int size) {
    return static_cast<unsigned>(place) < static_cast<unsigned>(size);
  }
};

/// x under the taps of y's pixels.
template <class T>
Patches<T, UnderTap> patches_of_x(const ConvolutionSizes& s, const T* x) {
  const int image = narrow(s.height * s.width * s.in_channels);
  return {.data = x,
          .height = narrow(s.height),
          .width = narrow(s.width),
          .channels = narrow(s.in_channels),
          .down = {narrow(s.stride_h), narrow(s.pad_h)},
          .across = {narrow(s.stride_w), narrow(s.pad_w)},
          .pixels = {narrow(s.out_height()), narrow(s.out_width()), image},
          .taps = {narrow(s.kernel_w), narrow(s.in_channels)}};
}
/// dy over the places of x.
template <class T>
Patches<T, OverTap> patches_of_dy(const ConvolutionSizes& s, const T* dy) {
  const int image = narrow(s.out_height() * s.out_width() * s.out_channels);
  return {.data = dy,
          .height = narrow(s.out_height()),
          .width = narrow(s.out_width()),
          .channels = narrow(s.out_channels),
          .down = {cuda::DivisorOf(narrow(s.stride_h)), narrow(s.pad_h)},
          .across = {cuda::DivisorOf(narrow(s.stride_w)), narrow(s.pad_w)},
          .pixels = {narrow(s.height), narrow(s.width), image},
          .taps = {narrow(s.kernel_w), narrow(s.out_channels)}};
}

// Operands of the products, read by packs of n.

/// Lines are pixels, k taps.
template <int n, class T, class Side>
struct PixelsByTaps {
  static constexpr bool along_k = true;
  static constexpr int pack = n;
  using Element = T;
  Patches<T, Side> patches;
  __device__ Pixel<T> line(std::int64_t pixel) const { return patches.pixels.split(pixel, patches.data); }
  __device__ Tap cursor(std::int64_t tap) const { return patches.taps.split(tap, 0); }
  __device__ void advance(Tap& tap, int by) const { patches.taps.advance(tap, by); }
  __device__ const T* at(const Pixel<T>& pixel, const Tap& tap, const T* zeros) const {
    return patches.at(pixel, tap, zeros);
  }
};

/// Lines are taps, k pixels.
template <int n, class T>
struct TapsByPixels {
  static constexpr bool along_k = false;
  static constexpr int pack = n;
  using Element = T;
  Patches<T, UnderTap> patches;
  __device__ Tap line(std::int64_t tap) const { return patches.taps.split(tap, 0); }
  __device__ Pixel<T> cursor(std::int64_t pixel) const { return patches.pixels.split(pixel, patches.data); }
  __device__ void advance(Pixel<T>& pixel, int by) const { patches.pixels.advance(pixel, by); }
  __device__ const T* at(const Tap& tap, const Pixel<T>& pixel, const T* zeros) const {
    return patches.at(pixel, tap, zeros);
  }
};

/// Lines are output channels, k taps: filters as they are stored, `taps` for each.
template <int n, class T>
struct FiltersByTaps {
  static constexpr bool along_k = true;
  static constexpr int pack = n;
  using Element = T;
  const T* w;
  std::int64_t taps;
  __device__ const T* line(std::int64_t filter) const { return w + filter * taps; }
  __device__ int cursor(std::int64_t tap) const { return static_cast<int>(tap); }
  __device__ void advance(int& tap, int by) const { tap += by; }
  __device__ const T* at(const T* filter, int tap, const T* /*zeros*/) const { return filter + tap; }
};

/// Lines are input channels, k taps of dy: (row, column, output channel).
template <int n, class T>
struct ChannelsByTaps {
  static constexpr bool along_k = false;
  static constexpr int pack = n;
  using Element = T;
  const T* w;
  int kernel_h, kernel_w, channels;
  Radix taps;
  __device__ const T* line(std::int64_t channel) const { return w + channel; }
  __device__ Tap cursor(std::int64_t tap) const { return taps.split(tap, 0); }
  __device__ void advance(Tap& tap, int by) const { taps.advance(tap, by); }
  __device__ const T* at(const T* channel, const Tap& tap, const T* /*zeros*/) const {
    const int place = (tap.low * kernel_h + tap.high) * kernel_w + tap.middle;
    return channel + place * channels;
  }
};

/// Lines are output channels, k pixels: dy as it is stored.
template <int n, class T>
struct GradientsByPixels {
  static constexpr bool along_k = false;
  static constexpr int pack = n;
  using Element = T;
  const T* dy;
  int channels;
  __device__ int line(std::int64_t channel) const { return static_cast<int>(channel); }
  __device__ const T* cursor(std::int64_t pixel) const { return dy + pixel * channels; }
  __device__ void advance(const T*& pixel, int by) const { pixel += std::int64_t{by} * channels; }
  __device__ const T* at(int channel, const T* pixel, const T* /*zeros*/) const { return pixel + channel; }
};

/// Rows of a tile that are pixels: there are many, but to read them one by one takes registers.
template <int n>
constexpr int rows_of_pixels = n == 4 ? 128 : 64;

/// Calls f with the size of the packs by which operands of these numbers of channels can be read: 4 or 1.
template <class F, class T>
void by_packs(std::int64_t channels_a, const T* a, std::int64_t channels_b, const T* b, const F& f) {
  if (channels_a % 4 == 0 && channels_b % 4 == 0 && cuda::packs_of<4>(a) && cuda::packs_of<4>(b))
    return f(std::integral_constant<int, 4>{});
  f(std::integral_constant<int, 1>{});
}

/// A sum over pixels in parts that the sizes alone say: short enough for a sum in f32, and there are about
/// 512 tiles of results where parts of 256 pixels and more give as many.
ProductSizes sizes_in_parts(std::int64_t m, std::int64_t n, std::int64_t k) {
  const std::int64_t tiles = (m + 63) / 64 * ((n + 63) / 64);
  const auto length = static_cast<int>(std::clamp<std::int64_t>(k * tiles / 512, 256, 8192));
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
    const std::int64_t pixels = s.batch * s.out_height() * s.out_width();
    const int taps = narrow(s.kernel_h * s.kernel_w * s.in_channels);
    if (taps == 0) {
      memory_.zero(y.data, y.count() * static_cast<std::int64_t>(size_of(y.dtype)));
      if (bias.data != nullptr) cuda::add_bias(y, bias, y);
      return;
    }
    cuda::for_operands(operation, x.dtype, y.dtype, [&]<class T, class Result>(T, Result) {
      const auto multiply = [&]<int n>(std::integral_constant<int, n>) {
        cuda::product<rows_of_pixels<n>>(operation, {pixels, s.out_channels, taps, 1, taps},
                                         PixelsByTaps<n, T, UnderTap>{patches_of_x(s, x.as<T>())},
                                         FiltersByTaps<n, T>{w.as<T>(), taps},
                                         ProductResult(y.as<Result>(), row, s.out_channels));
      };
      by_packs(s.in_channels, x.as<T>(), s.in_channels, w.as<T>(), multiply);
    });
  }

  void backward_data(const ConvolutionSizes& s, ConstArray dy, ConstArray w, Array dx) override {
    cuda::check_operands(operation, dy.dtype, w.dtype, dx.dtype);
    const std::int64_t pixels = s.batch * s.height * s.width;
    const int taps = narrow(s.kernel_h * s.kernel_w * s.out_channels);
    narrow(taps * s.in_channels);
    if (taps == 0) return memory_.zero(dx.data, dx.count() * static_cast<std::int64_t>(size_of(dx.dtype)));
    cuda::for_operands(operation, dy.dtype, dx.dtype, [&]<class T, class Result>(T, Result) {
      const auto multiply = [&]<int n>(std::integral_constant<int, n>) {
        const auto patches = patches_of_dy(s, dy.as<T>());
        cuda::product<rows_of_pixels<n>>(
            operation, {pixels, s.in_channels, taps, 1, taps}, PixelsByTaps<n, T, OverTap>{patches},
            ChannelsByTaps<n, T>{w.as<T>(), narrow(s.kernel_h), narrow(s.kernel_w), narrow(s.in_channels),
                                 patches.taps},
            ProductResult(dx.as<Result>(), nullptr, s.in_channels));
      };
      by_packs(s.out_channels, dy.as<T>(), s.in_channels, w.as<T>(), multiply);
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
      const auto multiply = [&]<int n>(std::integral_constant<int, n>) {
        cuda::product<64>(operation, sizes, GradientsByPixels<n, T>{dy.as<T>(), narrow(s.out_channels)},
                          TapsByPixels<n, T>{patches_of_x(s, x.as<T>())},
                          ProductResult(partials, nullptr, taps));
      };
      by_packs(s.out_channels, dy.as<T>(), s.in_channels, x.as<T>(), multiply);
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
