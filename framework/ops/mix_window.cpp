// Mixing of a window's places by one matrix for all windows.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

// The windows of (B, L, d) and the matrix that they share, as batches of matrices.
MatrixPlaces windows(const Shape& x) { return {0, x[1] * x[2], 0, x[2]}; }
MatrixPlaces shared(std::int64_t length) { return {0, 0, 0, length}; }

// w or its transpose times each window of x.
Tensor mixed(const Tensor& x, const Tensor& w, bool transpose) {
  const std::int64_t length = x.size(1);
  Tensor y = Tensor::empty(x.shape(), x.dtype(), x.backend());
  y.backend().matmul.batched({x.size(0), 1, length, x.size(2), length}, w.data(),
                             transpose ? shared(length).transposed() : shared(length), x.data(),
                             windows(x.shape()), y.mutable_data(), windows(x.shape()));
  return y;
}

// The sum over the windows of dy x^T: the products one by one, then their sum in order.
Tensor matrix_gradient(const Tensor& dy, const Tensor& x) {
  const std::int64_t batch = x.size(0), length = x.size(1);
  Tensor products = Tensor::empty({batch, length, length}, x.dtype(), x.backend());
  x.backend().matmul.batched({batch, 1, length, length, x.size(2)}, dy.data(), windows(x.shape()), x.data(),
                             windows(x.shape()).transposed(), products.mutable_data(),
                             windows(products.shape()));
  Tensor dw = Tensor::empty({length, length}, x.dtype(), x.backend());
  x.backend().elementwise.sum({1, batch, length * length}, products.data(), dw.mutable_data());
  return dw;
}

}  // namespace

Tensor mix_window(const Tensor& x, const Tensor& w) {
  check_alike("mix_window", {x, w});
  ACTLAB_CHECK(
      x.shape().rank() == 3 && x.size(1) >= 1 && x.size(2) >= 1 && w.shape() == Shape({x.size(1), x.size(1)}),
      "mix_window: x (B, L, d) and w (L, L) wanted, found ", x.shape(), " and ", w.shape());
  return record("mix_window", mixed(x, w, false), {x, w}, {x, w}, [](const BackwardContext& context) {
    return std::vector{context.wanted(0) ? mixed(context.dy, context.saved(1), true) : Tensor(),
                       context.wanted(1) ? matrix_gradient(context.dy, context.saved(0)) : Tensor()};
  });
}

}  // namespace actlab
