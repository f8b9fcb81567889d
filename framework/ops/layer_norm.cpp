// Layer norm; backward needs the input and the moments of its rows.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {

Tensor layer_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, double epsilon) {
  if (is_half(x.dtype())) return cast(layer_norm(cast(x, DType::f32), weight, bias, epsilon), x.dtype());
  Backend& backend = check_alike("layer_norm", {x, weight, bias});
  const int last = check_dimension("layer_norm", -1, x.shape().rank());
  const std::int64_t columns = x.size(last);
  ACTLAB_CHECK(columns >= 1 && weight.shape() == Shape{columns} && bias.shape() == Shape{columns},
               "layer_norm: for x ", x.shape(), " weight and bias of its last size wanted, found ",
               weight.shape(), " and ", bias.shape());
  ACTLAB_CHECK(epsilon > 0, "layer_norm: epsilon must be above 0, found ", epsilon);
  const Shape rows{x.count() / columns, columns};
  Tensor y = Tensor::empty(x.shape(), x.dtype(), backend);
  Tensor moments = Tensor::empty({2, rows[0]}, DType::f64, backend);
  backend.norm.layer_forward(x.with_shape(rows).data(), weight.data(), bias.data(), epsilon,
                             y.with_shape(rows).mutable_data(), moments.mutable_data());

  const auto backward = [rows, epsilon](const BackwardContext& context) {
    const Tensor &dy = context.dy, &saved_x = context.saved(0), &saved_weight = context.saved(1);
    const auto like = [&dy](const Shape& shape) { return Tensor::empty(shape, dy.dtype(), dy.backend()); };
    Tensor dx = context.wanted(0) ? like(saved_x.shape()) : Tensor();
    Tensor dweight = like(saved_weight.shape()), dbias = like(saved_weight.shape());
    dy.backend().norm.layer_backward(
        {saved_x.with_shape(rows).data(), context.saved(2).data(), saved_weight.data(), epsilon},
        dy.with_shape(rows).data(),
        {dx.defined() ? dx.with_shape(rows).mutable_data() : Array{}, dweight.mutable_data(),
         dbias.mutable_data()});
    return std::vector{dx, dweight, dbias};
  };
  return record("layer_norm", y, {x, weight, bias}, {x, weight, moments}, backward);
}

}  // namespace actlab
