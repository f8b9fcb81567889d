// Batch norm; backward needs the input and the moments of its channels.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

// x seen as (rows, channels).
Tensor rows_of(const Tensor& x) {
  const std::int64_t channels = x.size(-1);
  return x.with_shape({channels == 0 ? 0 : x.count() / channels, channels});
}

}  // namespace

Tensor batch_moments(const Tensor& x) {
  Backend& backend = check_alike("batch_norm", {x});
  check_dimension("batch_norm", -1, x.shape().rank());
  if (is_half(x.dtype())) return batch_moments(cast(x, DType::f32));
  const Tensor rows = rows_of(x);
  ACTLAB_CHECK(rows.size(0) >= 2,
               "batch_norm: in training each channel needs at least two values, the input ", x.shape(),
               " has ", rows.size(0), ": use larger batches, or evaluation mode");
  Tensor moments = Tensor::empty({2, x.size(-1)}, DType::f64, backend);
  backend.norm.batch_moments(rows.data(), moments.mutable_data());
  return moments;
}

Tensor batch_norm(const Tensor& x, const Tensor& weight, const Tensor& bias, const Tensor& moments,
                  Moments kind, double epsilon) {
  if (is_half(x.dtype()))
    return cast(batch_norm(cast(x, DType::f32), weight, bias, moments, kind, epsilon), x.dtype());
  Backend& backend = check_alike("batch_norm", {x, weight, bias});
  check_dimension("batch_norm", -1, x.shape().rank());
  const std::int64_t channels = x.size(-1);
  ACTLAB_CHECK(weight.shape() == Shape{channels} && bias.shape() == Shape{channels} &&
                   moments.shape() == (Shape{2, channels}) && moments.dtype() == DType::f64,
               "batch_norm: for x ", x.shape(), " weight (C), bias (C) and f64 moments (2, C) wanted, found ",
               weight.shape(), ", ", bias.shape(), " and ", moments.dtype(), " ", moments.shape());
  ACTLAB_CHECK(epsilon > 0, "batch_norm: epsilon must be above 0, found ", epsilon);
  Tensor y = Tensor::empty(x.shape(), x.dtype(), backend);
  backend.norm.batch_forward({rows_of(x).data(), moments.data(), weight.data(), epsilon}, bias.data(),
                             rows_of(y).mutable_data());

  const auto backward = [kind, epsilon](const BackwardContext& context) {
    const Tensor &dy = context.dy, &saved_x = context.saved(0), &saved_weight = context.saved(1);
    const auto like = [&dy](const Shape& shape) { return Tensor::empty(shape, dy.dtype(), dy.backend()); };
    Tensor dx = context.wanted(0) ? like(saved_x.shape()) : Tensor();
    Tensor dweight = like(saved_weight.shape()), dbias = like(saved_weight.shape());
    dy.backend().norm.batch_backward(
        {rows_of(saved_x).data(), context.saved(2).data(), saved_weight.data(), epsilon},
        kind == Moments::of_batch, rows_of(dy).data(),
        {dx.defined() ? rows_of(dx).mutable_data() : Array{}, dweight.mutable_data(), dbias.mutable_data()});
    return std::vector{dx, dweight, dbias};
  };
  return record("batch_norm", y, {x, weight, bias}, {x, weight, moments}, backward);
}

}  // namespace actlab
