// Dropout; backward draws the mask of forward again.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

Tensor dropped(const Tensor& x, double p, const Random& random) {
  Tensor y = Tensor::empty(x.shape(), x.dtype(), x.backend());
  y.backend().elementwise.dropout(x.data(), p, random, y.mutable_data());
  return y;
}

}  // namespace

Tensor dropout(const Tensor& x, double p, const Random& random) {
  check_alike("dropout", {x});
  ACTLAB_CHECK(p >= 0 && p <= 1, "dropout: p must lie in [0, 1], found ", p);
  if (p == 0) return x;
  if (is_half(x.dtype())) return cast(dropout(cast(x, DType::f32), p, random), x.dtype());
  return record("dropout", dropped(x, p, random), {x}, {}, [p, random](const BackwardContext& context) {
    return std::vector{dropped(context.dy, p, random)};
  });
}

}  // namespace actlab
