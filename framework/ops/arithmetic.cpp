// Sum and product of two tensors, and scaling.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

Tensor product(const Tensor& a, const Tensor& b) {
  Tensor y = Tensor::empty(a.shape(), a.dtype(), a.backend());
  y.backend().elementwise.multiply(a.data(), b.data(), y.mutable_data());
  return y;
}

Tensor scaled(const Tensor& x, double factor) {
  Tensor y = Tensor::empty(x.shape(), x.dtype(), x.backend());
  y.backend().elementwise.scale(x.data(), factor, y.mutable_data());
  return y;
}

}  // namespace

Tensor add(const Tensor& a, const Tensor& b) {
  Backend& backend = check_alike("add", {a, b});
  ACTLAB_CHECK(a.shape() == b.shape(), "add: the shapes ", a.shape(), " and ", b.shape(), " differ");
  Tensor y = Tensor::empty(a.shape(), a.dtype(), backend);
  backend.elementwise.add(a.data(), b.data(), y.mutable_data());
  return record("add", y, {a, b}, {}, [](const BackwardContext& context) {
    return std::vector{context.dy, context.dy};
  });
}

Tensor multiply(const Tensor& a, const Tensor& b) {
  check_alike("multiply", {a, b});
  ACTLAB_CHECK(a.shape() == b.shape(), "multiply: the shapes ", a.shape(), " and ", b.shape(), " differ");
  return record("multiply", product(a, b), {a, b}, {a, b}, [](const BackwardContext& context) {
    return std::vector{context.wanted(0) ? product(context.dy, context.saved(1)) : Tensor(),
                       context.wanted(1) ? product(context.dy, context.saved(0)) : Tensor()};
  });
}

Tensor scale(const Tensor& x, double factor) {
  check_alike("scale", {x});
  return record("scale", scaled(x, factor), {x}, {},
                [factor](const BackwardContext& context) { return std::vector{scaled(context.dy, factor)}; });
}

}  // namespace actlab
