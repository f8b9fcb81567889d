// Activation, with a trained parameter or without, and gated activation.
#include "framework/autograd/node.h"
#include "framework/ops/activated.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

void check_trained(const Tensor& x, const ActivationHandle& activation, const Tensor& parameter) {
  const ParameterInfo* info = activation.type().learnable();
  ACTLAB_CHECK(info != nullptr && !activation.gated(), "activate: '", activation.spelled(),
               "' is gated or has no learnable parameter");
  ACTLAB_CHECK(x.defined() && parameter.defined(), "activate: an input is undefined");
  ACTLAB_CHECK(&x.backend() == &parameter.backend(), "activate: inputs lie on the backends ",
               x.backend().name, " and ", parameter.backend().name);
  const DType wanted = parameter_type(x.dtype());
  ACTLAB_CHECK(parameter.dtype() == wanted, "activate: ", info->name, " has the type ", parameter.dtype(),
               "; beside x of ", x.dtype(), " it must be ", wanted);
  const std::int64_t channels = x.shape().rank() == 0 ? 1 : x.size(x.shape().rank() - 1);
  ACTLAB_CHECK(parameter.count() == 1 || parameter.count() == channels, "activate: ", parameter.count(),
               " values of ", info->name, " for x ", x.shape(), ", 1 or ", channels, " wanted");
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

Tensor activate(const Tensor& x, const ActivationHandle& given) {
  check_alike("activate", {x});
  check_plain("activate", given);
  const ActivationHandle activation = activation_for(given, x);
  const Tensor y = activated(x, activation);
  const std::string_view name = activation.info().name;
  if (reads_of(activation) == Reads::nothing)
    return record(name, y, {x}, {}, [activation](const BackwardContext& context) {
      return std::vector{activated_gradient({}, context.dy, activation)};
    });
  return record(name, y, {x}, {reads_of(activation) == Reads::input ? x : y},
                [activation](const BackwardContext& context) {
                  return std::vector{activated_gradient(context.saved(0), context.dy, activation)};
                });
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

Tensor gate(const Tensor& x, const ActivationHandle& given) {
  check_alike("gate", {x});
  ACTLAB_CHECK(given.gated(), "gate: '", given.spelled(), "' is no gated form: use activate()");
  const ActivationHandle activation = activation_for(given, x);
  const int last = x.shape().rank() - 1;
  ACTLAB_CHECK(last >= 0 && x.size(last) % 2 == 0, "gate: '", activation.spelled(),
               "' halves the last dimension into gate and up: it must be even, the shape is ", x.shape());
  return record(activation.info().gated, activated(x, activation), {x}, {x},
                [activation](const BackwardContext& context) {
                  return std::vector{activated_gradient(context.saved(0), context.dy, activation)};
                });
}

}  // namespace actlab
