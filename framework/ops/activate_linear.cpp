// An activation and the linear layer after it: the second half of a feed-forward network.
#include "framework/autograd/node.h"
#include "framework/ops/activated.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"
#include "framework/ops/products.h"

namespace actlab {

Tensor activate_linear(const Tensor& x, const ActivationHandle& given, const Tensor& w, const Tensor& b,
                       std::optional<DType> result) {
  const DType type = check_weighted("activate_linear", x, w, b, result);
  const ActivationHandle activation = activation_for(given, x);
  if (!activation.gated()) check_plain("activate_linear", activation);
  const int last = x.shape().rank() - 1;
  const std::int64_t wide = activation.gated() ? 2 : 1;
  ACTLAB_CHECK(last >= 0 && w.shape().rank() == 2 && w.size(1) >= 1 && x.size(last) == wide * w.size(1) &&
                   b.shape() == Shape{w.size(0)},
               "activate_linear: ", activation.gated() ? activation.info().gated : activation.info().name,
               " of x (..., ", wide == 2 ? "2 * " : "", "in), w (out, in) and b (out) wanted, found ",
               x.shape(), ", ", w.shape(), " and ", b.shape());
  const std::int64_t in = w.size(1), out = w.size(0), rows = x.count() / (wide * in);
  const Tensor pre = x.with_shape({rows, wide * in});
  const bool keeps_input = reads_of(activation) == Reads::input;
  const Tensor hidden =
      activated(pre, activation, keeps_input ? MemoryKind::temporaries : Tensor::output_kind());
  const Tensor y = product(hidden, false, converted(w, x.dtype()), true, type, b)
                       .with_shape(with_size(x.shape(), last, out));

  const auto backward = [=, shape = x.shape(), w_type = w.dtype()](const BackwardContext& context) {
    const Tensor &kept = context.saved(0), dy = context.dy.with_shape({rows, out});
    const Tensor left = converted(dy, kept.dtype());
    Tensor dx, dw;
    if (context.wanted(1))
      dw = product(left, true, keeps_input ? activated(kept, activation) : kept, false, w_type);
    if (context.wanted(0)) {
      const Tensor dhidden =
          product(left, false, converted(context.saved(1), kept.dtype()), false, kept.dtype());
      dx = activated_gradient(kept, dhidden, activation).with_shape(shape);
    }
    return std::vector{dx, dw, context.wanted(2) ? column_sums(dy) : Tensor()};
  };
  return record("activate_linear", y, {x, w, b}, {keeps_input ? pre : hidden, w}, backward);
}

}  // namespace actlab
