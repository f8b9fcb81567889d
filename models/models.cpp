// The list of models.
#include "models/models.h"

namespace actlab {

const std::vector<ModelType>& model_types() {
  static const std::vector<ModelType> types = {};
  return types;
}

}  // namespace actlab
