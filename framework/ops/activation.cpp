// Activation and gated activation.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {

Tensor activate(const Tensor& x, const ActivationHandle& activation) {
  Backend& backend = check_alike("activate", {x});
  check_plain("activate", activation);
  Tensor y = Tensor::empty(x.shape(), x.dtype(), backend);
  backend.activation.forward(activation, x.data(), y.mutable_data());

  const auto backward = [activation](const BackwardContext& context) {
    const bool reads = activation.info().backward_reads != Reads::nothing;
    Tensor dx = Tensor::empty(context.dy.shape(), context.dy.dtype(), context.dy.backend());
    dx.backend().activation.backward(activation, reads ? context.saved(0).data() : ConstArray{},
                                     context.dy.data(), dx.mutable_data());
    return std::vector{dx};
  };
  switch (activation.info().backward_reads) {
    case Reads::nothing:
      return record(activation.info().name, y, {x}, {}, backward);
    case Reads::input:
      return record(activation.info().name, y, {x}, {x}, backward);
    case Reads::output:
      return record(activation.info().name, y, {x}, {y}, backward);
  }
  throw Error("activate: unknown kind of backward");
}

Tensor gate(const Tensor& x, const ActivationHandle& activation) {
  Backend& backend = check_alike("gate", {x});
  const int last = x.shape().rank() - 1;
  ACTLAB_CHECK(last >= 0 && x.size(last) % 2 == 0, "gate: '", activation.spelled(),
               "' halves the last dimension into gate and up: it must be even, the shape is ", x.shape());
  const std::int64_t columns = x.size(last) / 2;
  const std::int64_t rows = columns == 0 ? 0 : x.count() / (2 * columns);
  Tensor y = Tensor::empty(with_size(x.shape(), last, columns), x.dtype(), backend);
  const auto flat = [rows](const Tensor& t, std::int64_t width) { return t.with_shape({rows, width}); };
  backend.activation.gate(activation, flat(x, 2 * columns).data(), flat(y, columns).mutable_data());

  return record(activation.info().gated, y, {x}, {x}, [=](const BackwardContext& context) {
    const Tensor& saved = context.saved(0);
    Tensor dx = Tensor::empty(saved.shape(), saved.dtype(), saved.backend());
    dx.backend().activation.gate_backward(activation, flat(saved, 2 * columns).data(),
                                          flat(context.dy, columns).data(),
                                          flat(dx, 2 * columns).mutable_data());
    return std::vector{dx};
  });
}

}  // namespace actlab
