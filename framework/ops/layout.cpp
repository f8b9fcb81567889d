// Other shapes and orders of the same elements: reshape shares them, transpose and slice copy.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"
#include "framework/ops/products.h"

namespace actlab {
namespace {

// The places of x's elements, as a gather of all of x would read them.
StridedSizes places(const Shape& shape) {
  StridedSizes all{{1, 1, 1, 1}, {0, 0, 0, 0}, 0};
  std::int64_t stride = 1;
  for (int i = shape.rank() - 1; i >= 0; --i) {
    const auto at = static_cast<std::size_t>(i);
    all.sizes[at] = shape[i];
    all.strides[at] = stride;
    stride *= shape[i];
  }
  return all;
}

Tensor gather(std::string_view operation, const Tensor& x, const StridedSizes& from, const Shape& shape) {
  Tensor y = Tensor::empty(shape, x.dtype(), x.backend());
  y.backend().elementwise.gather(from, x.data(), y.mutable_data());
  return record(operation, y, {x}, {}, [from, whole = x.shape()](const BackwardContext& context) {
    Tensor dx = Tensor::empty(whole, context.dy.dtype(), context.dy.backend());
    dx.backend().elementwise.scatter(from, context.dy.data(), dx.mutable_data());
    return std::vector{dx};
  });
}

}  // namespace

Tensor Tensor::reshape(const Shape& shape) const {
  return record(
      "reshape", with_shape(shape).detach(), {*this}, {},
      [from = shape_](const BackwardContext& context) { return std::vector{context.dy.with_shape(from)}; });
}

Tensor flatten(const Tensor& x) {
  ACTLAB_CHECK(x.shape().rank() >= 1, "flatten: a scalar has no rows");
  const std::int64_t rows = x.size(0);
  return x.reshape({rows, rows == 0 ? 0 : x.count() / rows});
}

Tensor transpose(const Tensor& x, int dimension_a, int dimension_b) {
  check_alike("transpose", {x});
  const int rank = x.shape().rank();
  const int a = check_dimension("transpose", dimension_a, rank);
  const int b = check_dimension("transpose", dimension_b, rank);
  StridedSizes from = places(x.shape());
  std::swap(from.sizes[static_cast<std::size_t>(a)], from.sizes[static_cast<std::size_t>(b)]);
  std::swap(from.strides[static_cast<std::size_t>(a)], from.strides[static_cast<std::size_t>(b)]);
  return gather("transpose", x, from, with_size(with_size(x.shape(), a, x.size(b)), b, x.size(a)));
}

Tensor slice(const Tensor& x, int dimension, std::int64_t begin, std::int64_t end, std::int64_t step) {
  check_alike("slice", {x});
  const int d = check_dimension("slice", dimension, x.shape().rank());
  ACTLAB_CHECK(0 <= begin && begin <= end && end <= x.size(d) && step >= 1, "slice: [", begin, ", ", end,
               ") by ", step, " of dimension ", dimension, " of the shape ", x.shape());
  const std::int64_t size = (end - begin + step - 1) / step;
  StridedSizes from = places(x.shape());
  const auto at = static_cast<std::size_t>(d);
  from.sizes[at] = size;
  from.offset = begin * from.strides[at];
  from.strides[at] *= step;
  return gather("slice", x, from, with_size(x.shape(), d, size));
}

Tensor cast(const Tensor& x, DType dtype) {
  Backend& backend = check_alike("cast", {x});
  ACTLAB_CHECK(dtype != DType::i32 && dtype != DType::u8, "cast: to ", dtype, " on ", backend.name,
               ": floating-point types only");
  if (dtype == x.dtype()) return x;
  return record("cast", converted(x, dtype), {x}, {}, [from = x.dtype()](const BackwardContext& context) {
    return std::vector{converted(context.dy, from)};
  });
}

}  // namespace actlab
