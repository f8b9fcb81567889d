// Activation and gated activation.
#include "framework/autograd/node.h"
#include "framework/ops/activated.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {

Tensor activate(const Tensor& x, const ActivationHandle& activation) {
  check_alike("activate", {x});
  check_plain("activate", activation);
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

Tensor gate(const Tensor& x, const ActivationHandle& activation) {
  check_alike("gate", {x});
  ACTLAB_CHECK(activation.gated(), "gate: '", activation.spelled(), "' is no gated form: use activate()");
  const int last = x.shape().rank() - 1;
  ACTLAB_CHECK(last >= 0 && x.size(last) % 2 == 0, "gate: '", activation.spelled(),
               "' halves the last dimension into gate and up: it must be even, the shape is ", x.shape());
  return record(activation.info().gated, activated(x, activation), {x}, {x},
                [activation](const BackwardContext& context) {
                  return std::vector{activated_gradient(context.saved(0), context.dy, activation)};
                });
}

}  // namespace actlab
