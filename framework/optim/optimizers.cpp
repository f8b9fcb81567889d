// The list of optimizers, and the making of their state.
#include "framework/optim/adamw.h"
#include "framework/optim/optimizer.h"
#include "framework/optim/sgd.h"

namespace actlab {

const std::vector<OptimizerType>& optimizer_types() {
  static const std::vector<OptimizerType> types = {sgd(), adamw()};
  return types;
}

NamedParameter state_beside(const NamedParameter& parameter, std::string_view name) {
  const Tensor& w = parameter.tensor;
  return {concat(parameter.name, '.', name),
          Tensor::zeros(w.shape(), w.dtype(), w.backend(), MemoryKind::optimizer_state)};
}

}  // namespace actlab
