// The same tensor added to each of many.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {

Tensor add_to_each(const Tensor& x, const Tensor& a) {
  Backend& backend = check_alike("add_to_each", {x, a});
  ACTLAB_CHECK(x.shape().rank() >= 1 && drop_dimension(x.shape(), 0) == a.shape(),
               "add_to_each: x (N, shape of a) wanted, found ", x.shape(), " for a ", a.shape());
  const std::int64_t n = x.size(0);
  Tensor y = Tensor::empty(x.shape(), x.dtype(), backend);
  const std::int64_t bytes = a.bytes();
  const ConstArray from = x.data();
  const Array to = y.mutable_data();
  for (std::int64_t i = 0; i < n; ++i)
    backend.elementwise.add({static_cast<const char*>(from.data) + i * bytes, x.dtype(), a.shape()}, a.data(),
                            {static_cast<char*>(to.data) + i * bytes, x.dtype(), a.shape()});
  return record("add_to_each", y, {x, a}, {}, [n, shape = a.shape()](const BackwardContext& context) {
    if (!context.wanted(1)) return std::vector{context.dy, Tensor()};
    Tensor da = Tensor::empty(shape, context.dy.dtype(), context.dy.backend());
    da.backend().elementwise.sum({1, n, da.count()}, context.dy.data(), da.mutable_data());
    return std::vector{context.dy, da};
  });
}

}  // namespace actlab
