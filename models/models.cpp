// The list of models.
#include "models/models.h"

#include "models/bert_encoder.h"
#include "models/bert_ffn.h"
#include "models/small_cnn.h"

namespace actlab {

const std::vector<ModelType>& model_types() {
  static const std::vector<ModelType> types = {small_cnn(), bert_ffn(), bert_encoder()};
  return types;
}

}  // namespace actlab
