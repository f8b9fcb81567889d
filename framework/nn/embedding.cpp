// The initial table of embeddings.
#include "framework/nn/embedding.h"

namespace actlab {

Embedding::Embedding(std::int64_t size, std::int64_t d, Initializer& init, double deviation) {
  ACTLAB_CHECK(size >= 1 && d >= 1 && deviation >= 0, "Embedding: ", size, " vectors of ", d,
               " numbers with the deviation ", deviation, ": at least 1, 1 and 0 are needed");
  weight_ = init.normal({size, d}, deviation);
  add_parameter("weight", weight_);
}

}  // namespace actlab
