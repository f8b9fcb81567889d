// The products of linear layers and the gradient of their bias.
#include "framework/ops/products.h"

namespace actlab {

Tensor product(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b, const Tensor& bias) {
  const Shape shape{a.size(transpose_a ? 1 : 0), b.size(transpose_b ? 0 : 1)};
  Tensor y = Tensor::empty(shape, a.dtype(), a.backend());
  y.backend().matmul.matmul(a.data(), transpose_a, b.data(), transpose_b,
                            bias.defined() ? bias.data() : ConstArray{}, y.mutable_data());
  return y;
}

Tensor column_sums(const Tensor& x) {
  Tensor y = Tensor::empty({x.size(1)}, x.dtype(), x.backend());
  y.backend().elementwise.sum({1, x.size(0), x.size(1)}, x.data(), y.mutable_data());
  return y;
}

}  // namespace actlab
