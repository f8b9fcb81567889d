// The operation's forward and backward pass, of the families that every backend has: it runs wherever they
// do.
#include "scale_channels.h"

#include "framework/autograd/node.h"
#include "framework/ops/checks.h"

namespace example {

using namespace actlab;

namespace {

Tensor scaled(const AxisSizes& sizes, const Tensor& x, const Tensor& factors) {
  Tensor y = Tensor::empty(x.shape(), x.dtype(), x.backend());
  ElementwiseKernels& kernels = x.backend().elementwise;
  kernels.broadcast(sizes, factors.data(), 1.0, y.mutable_data());
  kernels.multiply(x.data(), y.data(), y.mutable_data());
  return y;
}

// (N, C): the sums of dy * x over the pixels.
Tensor summed(const AxisSizes& sizes, const Tensor& dy, const Tensor& x, const Shape& shape) {
  Tensor product = Tensor::empty(x.shape(), x.dtype(), x.backend());
  Tensor sum = Tensor::empty(shape, x.dtype(), x.backend());
  x.backend().elementwise.multiply(dy.data(), x.data(), product.mutable_data());
  x.backend().elementwise.sum(sizes, product.data(), sum.mutable_data());
  return sum;
}

}  // namespace

Tensor scale_channels(const Tensor& x, const Tensor& factors) {
  check_alike("scale_channels", {x, factors});
  ACTLAB_CHECK(x.shape().rank() == 4 && factors.shape() == Shape({x.size(0), x.size(3)}),
               "scale_channels: wanted x (N, H, W, C) and factors (N, C), found ", x.shape(), " and ",
               factors.shape());
  const AxisSizes sizes{x.size(0), x.size(1) * x.size(2), x.size(3)};
  return record("scale_channels", scaled(sizes, x, factors), {x, factors}, {x, factors},
                [sizes](const BackwardContext& context) {
                  const Tensor &kept = context.saved(0), &by = context.saved(1);
                  return std::vector{
                      context.wanted(0) ? scaled(sizes, context.dy, by) : Tensor(),
                      context.wanted(1) ? summed(sizes, context.dy, kept, by.shape()) : Tensor()};
                });
}

}  // namespace example
