// Convolution by its definition, each result gathered in one sum.
#include "kernels/reference/cast.h"
#include "kernels/reference/families.h"

namespace actlab {
namespace {

// Place of pixel (row, column) of image n, in an NHWC array.
struct Pixels {
  std::int64_t height, width, channels;
  bool has(std::int64_t row, std::int64_t column) const {
    return row >= 0 && row < height && column >= 0 && column < width;
  }
  std::int64_t at(std::int64_t n, std::int64_t row, std::int64_t column) const {
    return ((n * height + row) * width + column) * channels;
  }
};

Pixels inputs(const ConvolutionSizes& s) { return {s.height, s.width, s.in_channels}; }
Pixels outputs(const ConvolutionSizes& s) { return {s.out_height(), s.out_width(), s.out_channels}; }

// Calls f(image, row, column) for every pixel.
template <class F>
void for_each_pixel(std::int64_t batch, const Pixels& pixels, const F& f) {
  for (std::int64_t n = 0; n < batch; ++n)
    for (std::int64_t row = 0; row < pixels.height; ++row)
      for (std::int64_t column = 0; column < pixels.width; ++column) f(n, row, column);
}

// Calls f(row, column) for every tap of the kernel.
template <class F>
void for_each_tap(const ConvolutionSizes& s, const F& f) {
  for (std::int64_t row = 0; row < s.kernel_h; ++row)
    for (std::int64_t column = 0; column < s.kernel_w; ++column) f(row, column);
}

// Place of weights (o, row, column, 0), OHWI.
std::int64_t filter_at(const ConvolutionSizes& s, std::int64_t o, std::int64_t row, std::int64_t column) {
  return ((o * s.kernel_h + row) * s.kernel_w + column) * s.in_channels;
}

template <class T>
double product(T a, T b) {
  return cast_element<double>(a) * cast_element<double>(b);
}

template <class T, class Result>
void forward(const ConvolutionSizes& s, const T* x, const T* w, const BiasOf<T>* bias, Result* y) {
  const Pixels in = inputs(s), out = outputs(s);
  for_each_pixel(s.batch, out, [&](std::int64_t n, std::int64_t row, std::int64_t column) {
    for (std::int64_t o = 0; o < s.out_channels; ++o) {
      double sum = bias == nullptr ? 0.0 : double{bias[o]};
      for_each_tap(s, [&](std::int64_t i, std::int64_t j) {
        const std::int64_t x_row = row * s.stride_h + i - s.pad_h,
                           x_column = column * s.stride_w + j - s.pad_w;
        if (!in.has(x_row, x_column)) return;
        const T* pixel = x + in.at(n, x_row, x_column);
        const T* filter = w + filter_at(s, o, i, j);
        for (std::int64_t c = 0; c < s.in_channels; ++c) sum += product(pixel[c], filter[c]);
      });
      y[out.at(n, row, column) + o] = cast_element<Result>(sum);
    }
  });
}

template <class T, class Result>
void backward_data(const ConvolutionSizes& s, const T* dy, const T* w, Result* dx) {
  const Pixels in = inputs(s), out = outputs(s);
  for_each_pixel(s.batch, in, [&](std::int64_t n, std::int64_t row, std::int64_t column) {
    for (std::int64_t c = 0; c < s.in_channels; ++c) {
      double sum = 0;
      for_each_tap(s, [&](std::int64_t i, std::int64_t j) {
        const std::int64_t top = row + s.pad_h - i, left = column + s.pad_w - j;
        if (top % s.stride_h != 0 || left % s.stride_w != 0) return;
        if (!out.has(top / s.stride_h, left / s.stride_w)) return;
        const T* gradient = dy + out.at(n, top / s.stride_h, left / s.stride_w);
        for (std::int64_t o = 0; o < s.out_channels; ++o)
          sum += product(gradient[o], w[filter_at(s, o, i, j) + c]);
      });
      dx[in.at(n, row, column) + c] = cast_element<Result>(sum);
    }
  });
}

template <class T, class Result>
void backward_weights(const ConvolutionSizes& s, const T* x, const T* dy, Result* dw, Result* dbias) {
  const Pixels in = inputs(s), out = outputs(s);
  for (std::int64_t o = 0; o < s.out_channels; ++o) {
    for_each_tap(s, [&](std::int64_t i, std::int64_t j) {
      for (std::int64_t c = 0; c < s.in_channels; ++c) {
        double sum = 0;
        for_each_pixel(s.batch, out, [&](std::int64_t n, std::int64_t row, std::int64_t column) {
          const std::int64_t x_row = row * s.stride_h + i - s.pad_h,
                             x_column = column * s.stride_w + j - s.pad_w;
          if (!in.has(x_row, x_column)) return;
          sum += product(x[in.at(n, x_row, x_column) + c], dy[out.at(n, row, column) + o]);
        });
        dw[filter_at(s, o, i, j) + c] = cast_element<Result>(sum);
      }
    });
    if (dbias == nullptr) continue;
    double sum = 0;
    for_each_pixel(s.batch, out, [&](std::int64_t n, std::int64_t row, std::int64_t column) {
      sum += cast_element<double>(dy[out.at(n, row, column) + o]);
    });
    dbias[o] = cast_element<Result>(sum);
  }
}

class ReferenceConvolution final : public ConvolutionKernels {
 public:
  std::string implementation() const override { return std::string(reference_implementation); }
  bool native(DType dtype) const override { return dtype != DType::f16; }

  void forward(const ConvolutionSizes& sizes, ConstArray x, ConstArray w, ConstArray bias, Array y) override {
    for_operands("convolution", x.dtype, y.dtype, [&]<class T, class Result>(T, Result) {
      actlab::forward(sizes, x.as<T>(), w.as<T>(), bias_of<T>(bias), y.as<Result>());
    });
  }

  void backward_data(const ConvolutionSizes& sizes, ConstArray dy, ConstArray w, Array dx) override {
    for_operands("convolution", dy.dtype, dx.dtype, [&]<class T, class Result>(T, Result) {
      actlab::backward_data(sizes, dy.as<T>(), w.as<T>(), dx.as<Result>());
    });
  }

  void backward_weights(const ConvolutionSizes& sizes, ConstArray x, ConstArray dy, Array dw,
                        Array dbias) override {
    for_operands("convolution", x.dtype, dw.dtype, [&]<class T, class Result>(T, Result) {
      Result* dbias_data = dbias.data == nullptr ? nullptr : dbias.as<Result>();
      actlab::backward_weights(sizes, x.as<T>(), dy.as<T>(), dw.as<Result>(), dbias_data);
    });
  }
};

}  // namespace

std::unique_ptr<ConvolutionKernels> make_reference_convolution() {
  return std::make_unique<ReferenceConvolution>();
}

}  // namespace actlab
