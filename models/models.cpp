// The list of models.
#include "models/models.h"

#include "models/small_cnn.h"

namespace actlab {

const std::vector<ModelType>& model_types() {
  static const std::vector<ModelType> types = {small_cnn()};
  return types;
}

}  // namespace actlab
