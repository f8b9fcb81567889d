// Sum and maximum over a dimension.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

Tensor sum_over(const Tensor& x, const AxisSizes& sizes, const Shape& shape) {
  Tensor y = Tensor::empty(shape, x.dtype(), x.backend());
  y.backend().elementwise.sum(sizes, x.data(), y.mutable_data());
  return record("sum", y, {x}, {}, [sizes, from = x.shape()](const BackwardContext& context) {
    Tensor dx = Tensor::empty(from, context.dy.dtype(), context.dy.backend());
    dx.backend().elementwise.broadcast(sizes, context.dy.data(), 1.0, dx.mutable_data());
    return std::vector{dx};
  });
}

}  // namespace

Tensor sum(const Tensor& x) {
  check_alike("sum", {x});
  if (is_half(x.dtype())) return cast(sum(cast(x, DType::f32)), x.dtype());
  return sum_over(x, {1, x.count(), 1}, {});
}

Tensor sum(const Tensor& x, int dimension) {
  check_alike("sum", {x});
  const int d = check_dimension("sum", dimension, x.shape().rank());
  if (is_half(x.dtype())) return cast(sum(cast(x, DType::f32), d), x.dtype());
  return sum_over(x, axis_sizes(x.shape(), d), drop_dimension(x.shape(), d));
}

Tensor max(const Tensor& x, int dimension) {
  Backend& backend = check_alike("max", {x});
  const int d = check_dimension("max", dimension, x.shape().rank());
  ACTLAB_CHECK(x.size(d) > 0, "max: dimension ", dimension, " of the shape ", x.shape(), " is empty");
  const AxisSizes sizes = axis_sizes(x.shape(), d);
  Tensor y = Tensor::empty(drop_dimension(x.shape(), d), x.dtype(), backend);
  Tensor index = Tensor::empty(y.shape(), DType::i32, backend);
  backend.elementwise.max(sizes, x.data(), y.mutable_data(), index.mutable_data());
  return record("max", y, {x}, {index}, [sizes, from = x.shape()](const BackwardContext& context) {
    Tensor dx = Tensor::empty(from, context.dy.dtype(), context.dy.backend());
    dx.backend().elementwise.scatter_axis(sizes, context.dy.data(), context.saved(0).data(),
                                          dx.mutable_data());
    return std::vector{dx};
  });
}

}  // namespace actlab
