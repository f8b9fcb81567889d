// Convolution of images.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"
#include "framework/ops/products.h"

namespace actlab {
namespace {

ConvolutionSizes sizes_of(const Tensor& x, const Tensor& w, const Tensor& b, const Conv2dOptions& options) {
  ACTLAB_CHECK(x.shape().rank() == 4 && w.shape().rank() == 4 && b.shape() == Shape{w.size(0)},
               "conv2d: x (N, H, W, C), w (out, kernel_h, kernel_w, C) and b (out) wanted, found ", x.shape(),
               ", ", w.shape(), " and ", b.shape());
  ACTLAB_CHECK(x.size(3) == w.size(3), "conv2d: x has ", x.size(3), " channels, w has ", w.size(3),
               " (groups are not supported)");
  ACTLAB_CHECK(options.stride_h >= 1 && options.stride_w >= 1 && options.pad_h >= 0 && options.pad_w >= 0,
               "conv2d: stride ", options.stride_h, " x ", options.stride_w, " must be at least 1, padding ",
               options.pad_h, " x ", options.pad_w, " at least 0");
  const std::int64_t height = x.size(1) + 2 * options.pad_h, width = x.size(2) + 2 * options.pad_w;
  ACTLAB_CHECK(w.size(1) >= 1 && w.size(2) >= 1 && w.size(1) <= height && w.size(2) <= width,
               "conv2d: the kernel ", w.size(1), " x ", w.size(2), " does not fit the padded input ", height,
               " x ", width);
  return {x.size(0), x.size(1),        x.size(2),        x.size(3),     w.size(0),    w.size(1),
          w.size(2), options.stride_h, options.stride_w, options.pad_h, options.pad_w};
}

}  // namespace

Tensor conv2d(const Tensor& x, const Tensor& w, const Tensor& b, const Conv2dOptions& options,
              std::optional<DType> result) {
  const DType type = check_weighted("conv2d", x, w, b, result);
  Backend& backend = x.backend();
  const ConvolutionSizes sizes = sizes_of(x, w, b, options);
  Tensor y =
      Tensor::empty({sizes.batch, sizes.out_height(), sizes.out_width(), sizes.out_channels}, type, backend);
  backend.convolution.forward(sizes, x.data(), converted(w, x.dtype()).data(), b.data(), y.mutable_data());

  const auto backward = [sizes, w_type = w.dtype()](const BackwardContext& context) {
    const Tensor &saved_x = context.saved(0), &saved_w = context.saved(1);
    const Tensor dy = converted(context.dy, saved_x.dtype());
    Tensor dx, dw, db;
    if (context.wanted(0)) {
      dx = Tensor::empty(saved_x.shape(), saved_x.dtype(), dy.backend());
      const Tensor filters = converted(saved_w, saved_x.dtype());
      dy.backend().convolution.backward_data(sizes, dy.data(), filters.data(), dx.mutable_data());
    }
    if (context.wanted(1) || context.wanted(2)) {
      dw = Tensor::empty(saved_w.shape(), w_type, dy.backend());
      db = Tensor::empty({sizes.out_channels}, w_type, dy.backend());
      dy.backend().convolution.backward_weights(sizes, saved_x.data(), dy.data(), dw.mutable_data(),
                                                db.mutable_data());
    }
    return std::vector{dx, dw, db};
  };
  return record("conv2d", y, {x, w, b}, {x, w}, backward);
}

}  // namespace actlab
