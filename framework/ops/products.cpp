// The products of linear layers and the gradient of their bias.
#include "framework/ops/products.h"

#include "framework/ops/checks.h"

namespace actlab {

Tensor converted(const Tensor& t, DType dtype) {
  if (t.dtype() == dtype) return t;
  Tensor y = Tensor::empty(t.shape(), dtype, t.backend());
  y.backend().elementwise.cast(t.data(), y.mutable_data());
  return y;
}

Tensor product(const Tensor& a, bool transpose_a, const Tensor& b, bool transpose_b, DType result,
               const Tensor& bias) {
  const Shape shape{a.size(transpose_a ? 1 : 0), b.size(transpose_b ? 0 : 1)};
  Tensor y = Tensor::empty(shape, result, a.backend());
  y.backend().matmul.matmul(a.data(), transpose_a, b.data(), transpose_b,
                            bias.defined() ? bias.data() : ConstArray{}, y.mutable_data());
  return y;
}

Tensor column_sums(const Tensor& x) {
  Tensor y = Tensor::empty({x.size(1)}, parameter_type(x.dtype()), x.backend());
  y.backend().elementwise.sum({1, x.size(0), x.size(1)}, x.data(), y.mutable_data());
  return y;
}

}  // namespace actlab
