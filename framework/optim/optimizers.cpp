// The list of optimizers, and the making of their state.
#include <algorithm>

#include "framework/optim/adamw.h"
#include "framework/optim/optimizer.h"
#include "framework/optim/sgd.h"

namespace actlab {

namespace {

std::vector<OptimizerType>& types() {
  static std::vector<OptimizerType> all = {sgd(), adamw()};
  return all;
}

}  // namespace

const std::vector<OptimizerType>& optimizer_types() { return types(); }

void add_optimizer(OptimizerType type) {
  const bool has_lr =
      std::any_of(type.options.begin(), type.options.end(), [](const Option& o) { return o.name == "lr"; });
  ACTLAB_CHECK(has_lr, "optimizer '", type.name, "': wanted an option `lr`, the base of the schedule");
  add_component("optimizer", std::move(type), types());
}

NamedParameter state_beside(const NamedParameter& parameter, std::string_view name) {
  const Tensor& w = parameter.tensor;
  return {concat(parameter.name, '.', name),
          Tensor::zeros(w.shape(), w.dtype(), w.backend(), MemoryKind::optimizer_state)};
}

}  // namespace actlab
