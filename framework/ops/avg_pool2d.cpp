// Average-pooling of images; backward needs nothing but sizes.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {

Tensor avg_pool2d(const Tensor& x, std::int64_t kernel, std::int64_t stride) {
  Backend& backend = check_alike("avg_pool2d", {x});
  ACTLAB_CHECK(x.shape().rank() == 4, "avg_pool2d: x (N, H, W, C) wanted, found ", x.shape());
  ACTLAB_CHECK(kernel >= 1 && stride >= 1, "avg_pool2d: kernel ", kernel, " and stride ", stride,
               " must be at least 1");
  ACTLAB_CHECK(kernel <= x.size(1) && kernel <= x.size(2), "avg_pool2d: the window ", kernel, " x ", kernel,
               " does not fit the input ", x.size(1), " x ", x.size(2));
  if (is_half(x.dtype())) return cast(avg_pool2d(cast(x, DType::f32), kernel, stride), x.dtype());
  const PoolSizes sizes{x.size(0), x.size(1), x.size(2), x.size(3), kernel, stride};
  Tensor y =
      Tensor::empty({sizes.batch, sizes.out_height(), sizes.out_width(), sizes.channels}, x.dtype(), backend);
  backend.pool.average_forward(sizes, x.data(), y.mutable_data());

  return record("avg_pool2d", y, {x}, {}, [sizes, from = x.shape()](const BackwardContext& context) {
    Tensor dx = Tensor::empty(from, context.dy.dtype(), context.dy.backend());
    dx.backend().pool.average_backward(sizes, context.dy.data(), dx.mutable_data());
    return std::vector{dx};
  });
}

}  // namespace actlab
