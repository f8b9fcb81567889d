// Max-pooling of images; backward needs one byte a pooled value.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {

Tensor max_pool2d(const Tensor& x, std::int64_t kernel, std::int64_t stride) {
  Backend& backend = check_alike("max_pool2d", {x});
  ACTLAB_CHECK(x.shape().rank() == 4, "max_pool2d: x (N, H, W, C) wanted, found ", x.shape());
  ACTLAB_CHECK(1 <= kernel && kernel <= 16 && stride >= 1, "max_pool2d: kernel ", kernel,
               " must be 1 to 16, stride ", stride, " at least 1");
  ACTLAB_CHECK(kernel <= x.size(1) && kernel <= x.size(2), "max_pool2d: the window ", kernel, " x ", kernel,
               " does not fit the input ", x.size(1), " x ", x.size(2));
  const PoolSizes sizes{x.size(0), x.size(1), x.size(2), x.size(3), kernel, stride};
  Tensor y =
      Tensor::empty({sizes.batch, sizes.out_height(), sizes.out_width(), sizes.channels}, x.dtype(), backend);
  Tensor argmax = Tensor::empty(y.shape(), DType::u8, backend);
  backend.pool.max_forward(sizes, x.data(), y.mutable_data(), argmax.mutable_data());

  return record("max_pool2d", y, {x}, {argmax}, [sizes, from = x.shape()](const BackwardContext& context) {
    Tensor dx = Tensor::empty(from, context.dy.dtype(), context.dy.backend());
    dx.backend().pool.max_backward(sizes, context.dy.data(), context.saved(0).data(), dx.mutable_data());
    return std::vector{dx};
  });
}

}  // namespace actlab
