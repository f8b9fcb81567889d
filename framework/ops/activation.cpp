// Activation, with a trained parameter or without, and gated activation.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

std::vector<double> values_of(const Tensor& t) {
  if (t.dtype() == DType::f64) return t.to_vector<double>();
  const std::vector<float> values = t.to_vector<float>();
  return {values.begin(), values.end()};
}

void check_trained(const Tensor& x, const ActivationHandle& activation, const Tensor& parameter) {
  const ParameterInfo* info = activation.type().learnable();
  ACTLAB_CHECK(info != nullptr && !activation.gated(), "activate: '", activation.spelled(),
               "' is gated or has no learnable parameter");
  ACTLAB_CHECK(x.defined() && parameter.defined(), "activate: an input is undefined");
  ACTLAB_CHECK(&x.backend() == &parameter.backend(), "activate: inputs lie on the backends ",
               x.backend().name, " and ", parameter.backend().name);
  const DType wanted = is_half(x.dtype()) ? DType::f32 : x.dtype();
  ACTLAB_CHECK(parameter.dtype() == wanted, "activate: ", info->name, " has the type ", parameter.dtype(),
               "; beside x of ", x.dtype(), " it must be ", wanted);
  const std::int64_t channels = x.shape().rank() == 0 ? 1 : x.size(x.shape().rank() - 1);
  ACTLAB_CHECK(parameter.count() == 1 || parameter.count() == channels, "activate: ", parameter.count(),
               " values of ", info->name, " for x ", x.shape(), ", 1 or ", channels, " wanted");
  for (const double value : values_of(parameter))
    ACTLAB_CHECK(info->holds(value), "activate: ", activation.info().name, " with ", info->name, " = ", value,
                 ", which must lie in [", info->least, ", ", info->most,
                 "]; keep_in_range() brings it back after an update");
}

// The sum over all elements, or over all but the last dimension, in the shape of the parameter.
Tensor summed(const Tensor& elements, const Tensor& parameter) {
  Tensor sum = Tensor::empty(parameter.shape(), parameter.dtype(), parameter.backend());
  const std::int64_t values = parameter.count();
  const std::int64_t rows = values == 0 ? 0 : elements.count() / values;
  sum.backend().elementwise.sum({1, rows, values}, elements.data(), sum.mutable_data());
  return sum;
}

}  // namespace

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

Tensor activate(const Tensor& x, const ActivationHandle& activation, const Tensor& parameter) {
  check_trained(x, activation, parameter);
  Tensor y = Tensor::empty(x.shape(), x.dtype(), x.backend());
  y.backend().activation.learned_forward(activation, parameter.data(), x.data(), y.mutable_data());

  return record(activation.info().name, y, {x, parameter}, {x, parameter},
                [activation](const BackwardContext& context) {
                  const Tensor &from = context.saved(0), &trained = context.saved(1);
                  Tensor dx = Tensor::empty(from.shape(), from.dtype(), from.backend());
                  Tensor elements = Tensor::empty(from.shape(), trained.dtype(), from.backend());
                  dx.backend().activation.learned_backward(activation, trained.data(), from.data(),
                                                           context.dy.data(), dx.mutable_data(),
                                                           elements.mutable_data());
                  return std::vector{dx, summed(elements, trained)};
                });
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
