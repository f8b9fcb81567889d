// Zeros in place of padding; the gradient has them too.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

Tensor cleared(const Tensor& x, const Tensor& lengths) {
  Tensor y = Tensor::empty(x.shape(), x.dtype(), x.backend());
  y.backend().rows.clear_padding(x.data(), lengths.data(), y.mutable_data());
  return y;
}

}  // namespace

Tensor clear_padding(const Tensor& x, const Tensor& lengths) {
  check_alike("clear_padding", {x});
  check_lengths("clear_padding", x, lengths);
  return record("clear_padding", cleared(x, lengths), {x}, {lengths}, [](const BackwardContext& context) {
    return std::vector{cleared(context.dy, context.saved(0))};
  });
}

}  // namespace actlab
