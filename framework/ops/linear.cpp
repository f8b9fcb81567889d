// Matrix products.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"
#include "framework/ops/products.h"

namespace actlab {
Tensor matmul(const Tensor& a, const Tensor& b) {
  check_alike("matmul", {a, b});
  ACTLAB_CHECK(a.shape().rank() == 2 && b.shape().rank() == 2 && a.size(1) == b.size(0),
               "matmul: (M, K) times (K, N) wanted, found ", a.shape(), " times ", b.shape());
  return record("matmul", product(a, false, b, false), {a, b}, {a, b}, [](const BackwardContext& context) {
    return std::vector{context.wanted(0) ? product(context.dy, false, context.saved(1), true) : Tensor(),
                       context.wanted(1) ? product(context.saved(0), true, context.dy, false) : Tensor()};
  });
}

Tensor linear(const Tensor& x, const Tensor& w, const Tensor& b) {
  check_alike("linear", {x, w, b});
  const int last = x.shape().rank() - 1;
  ACTLAB_CHECK(
      last >= 0 && w.shape().rank() == 2 && x.size(last) == w.size(1) && b.shape() == Shape{w.size(0)},
      "linear: x (..., in), w (out, in) and b (out) wanted, found ", x.shape(), ", ", w.shape(), " and ",
      b.shape());
  const std::int64_t in = w.size(1), out = w.size(0);
  const std::int64_t rows = in == 0 ? 0 : x.count() / in;
  const auto matrix = [rows](const Tensor& t, std::int64_t columns) { return t.with_shape({rows, columns}); };
  const Tensor y = product(matrix(x, in), false, w, true, b).with_shape(with_size(x.shape(), last, out));
  return record("linear", y, {x, w, b}, {x, w}, [=](const BackwardContext& context) {
    const Tensor dy = matrix(context.dy, out), saved_x = context.saved(0);
    return std::vector{context.wanted(0)
                           ? product(dy, false, context.saved(1), false).with_shape(saved_x.shape())
                           : Tensor(),
                       context.wanted(1) ? product(dy, true, matrix(saved_x, in), false) : Tensor(),
                       context.wanted(2) ? column_sums(dy) : Tensor()};
  });
}

}  // namespace actlab
