// Max-pooling of images, alone or behind an activation; backward needs one byte a pooled value.
#include "framework/autograd/node.h"
#include "framework/ops/activated.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

PoolSizes pool_sizes(std::string_view operation, const Tensor& x, std::int64_t kernel, std::int64_t stride) {
  ACTLAB_CHECK(x.shape().rank() == 4, operation, ": x (N, H, W, C) wanted, found ", x.shape());
  ACTLAB_CHECK(1 <= kernel && kernel <= 16 && stride >= 1, operation, ": kernel ", kernel,
               " must be 1 to 16, stride ", stride, " at least 1");
  ACTLAB_CHECK(kernel <= x.size(1) && kernel <= x.size(2), operation, ": the window ", kernel, " x ", kernel,
               " does not fit the input ", x.size(1), " x ", x.size(2));
  return {x.size(0), x.size(1), x.size(2), x.size(3), kernel, stride};
}

Tensor pooled(const PoolSizes& sizes, DType dtype, Backend& backend) {
  return Tensor::empty({sizes.batch, sizes.out_height(), sizes.out_width(), sizes.channels}, dtype, backend);
}

}  // namespace

Tensor max_pool2d(const Tensor& x, std::int64_t kernel, std::int64_t stride) {
  Backend& backend = check_alike("max_pool2d", {x});
  const PoolSizes sizes = pool_sizes("max_pool2d", x, kernel, stride);
  if (is_half(x.dtype())) return cast(max_pool2d(cast(x, DType::f32), kernel, stride), x.dtype());
  Tensor y = pooled(sizes, x.dtype(), backend);
  Tensor argmax = pooled(sizes, DType::u8, backend);
  backend.pool.max_forward(sizes, x.data(), y.mutable_data(), argmax.mutable_data());

  return record("max_pool2d", y, {x}, {argmax}, [sizes, from = x.shape()](const BackwardContext& context) {
    Tensor dx = Tensor::empty(from, context.dy.dtype(), context.dy.backend());
    dx.backend().pool.max_backward(sizes, context.dy.data(), context.saved(0).data(), dx.mutable_data());
    return std::vector{dx};
  });
}

Tensor activate_max_pool2d(const Tensor& x, const ActivationHandle& given, std::int64_t kernel) {
  Backend& backend = check_alike("activate_max_pool2d", {x});
  check_plain("activate_max_pool2d", given);
  const ActivationHandle activation = activation_for(given, x);
  const PoolSizes sizes = pool_sizes("activate_max_pool2d", x, kernel, kernel);
  Tensor y = pooled(sizes, x.dtype(), backend);
  Tensor argmax = pooled(sizes, DType::u8, backend);
  backend.activation.max_pool(activation, sizes, x.data(), y.mutable_data(), argmax.mutable_data());

  const Reads reads = activation.info().backward_reads;
  const auto backward = [=, from = x.shape()](const BackwardContext& context) {
    Tensor dx = Tensor::empty(from, context.dy.dtype(), context.dy.backend());
    dx.backend().activation.max_pool_backward(
        activation, sizes, reads == Reads::nothing ? ConstArray{} : context.saved(1).data(),
        context.dy.data(), context.saved(0).data(), dx.mutable_data());
    return std::vector{dx};
  };
  const std::string_view name = activation.info().name;
  if (reads == Reads::nothing) return record(name, y, {x}, {argmax}, backward);
  return record(name, y, {x}, {argmax, reads == Reads::input ? x : y}, backward);
}

}  // namespace actlab
