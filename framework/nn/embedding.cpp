// Initial tables of embeddings.
#include "framework/nn/embedding.h"

namespace actlab {
namespace {

Tensor table(std::int64_t size, std::int64_t d, double deviation, Initializer& init) {
  ACTLAB_CHECK(size >= 1 && d >= 1 && deviation >= 0, "Embedding: ", size, " vectors of ", d,
               " numbers with the deviation ", deviation, ": at least 1, 1 and 0 are needed");
  return init.normal({size, d}, deviation);
}

}  // namespace

Embedding::Embedding(std::int64_t size, std::int64_t d, double deviation, Initializer& init)
    : weight_(table(size, d, deviation, init)) {
  add_parameter("weight", weight_);
}

PositionEmbedding::PositionEmbedding(std::int64_t length, std::int64_t d, double deviation, Initializer& init)
    : weight_(table(length, d, deviation, init)) {
  add_parameter("weight", weight_);
}

}  // namespace actlab
