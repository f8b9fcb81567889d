// The list of optimizers.
#include "framework/optim/optimizer.h"
#include "framework/optim/sgd.h"

namespace actlab {

const std::vector<OptimizerType>& optimizer_types() {
  static const std::vector<OptimizerType> types = {sgd()};
  return types;
}

}  // namespace actlab
