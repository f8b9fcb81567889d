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
  const DType type = a.dtype();
  return record("matmul", product(a, false, b, false, type), {a, b}, {a, b},
                [type](const BackwardContext& context) {
                  const Tensor &dy = context.dy, &saved_a = context.saved(0), &saved_b = context.saved(1);
                  return std::vector{context.wanted(0) ? product(dy, false, saved_b, true, type) : Tensor(),
                                     context.wanted(1) ? product(saved_a, true, dy, false, type) : Tensor()};
                });
}

Tensor linear(const Tensor& x, const Tensor& w, const Tensor& b, std::optional<DType> result) {
  const DType type = check_weighted("linear", x, w, b, result);
  const int last = x.shape().rank() - 1;
  ACTLAB_CHECK(
      last >= 0 && w.shape().rank() == 2 && x.size(last) == w.size(1) && b.shape() == Shape{w.size(0)},
      "linear: x (..., in), w (out, in) and b (out) wanted, found ", x.shape(), ", ", w.shape(), " and ",
      b.shape());
  const std::int64_t in = w.size(1), out = w.size(0);
  const std::int64_t rows = in == 0 ? 0 : x.count() / in;
  const auto matrix = [rows](const Tensor& t, std::int64_t columns) { return t.with_shape({rows, columns}); };
  const Tensor y = product(matrix(x, in), false, converted(w, x.dtype()), true, type, b)
                       .with_shape(with_size(x.shape(), last, out));

  const auto backward = [=, w_type = w.dtype()](const BackwardContext& context) {
    const Tensor dy = matrix(context.dy, out), saved_x = context.saved(0);
    const Tensor left = converted(dy, saved_x.dtype());
    Tensor dx, dw;
    if (context.wanted(0))
      dx = product(left, false, converted(context.saved(1), saved_x.dtype()), false, saved_x.dtype())
               .with_shape(saved_x.shape());
    if (context.wanted(1)) dw = product(left, true, matrix(saved_x, in), false, w_type);
    return std::vector{dx, dw, context.wanted(2) ? column_sums(dy) : Tensor()};
  };
  return record("linear", y, {x, w, b}, {x, w}, backward);
}

}  // namespace actlab
