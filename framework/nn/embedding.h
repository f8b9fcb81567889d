// Learned vectors of tokens.
#pragma once

#include "framework/nn/layers.h"

namespace actlab {

/// The vector of each token: tokens i32 (...) in [0, size) to (..., d).
class Embedding : public Module {
 public:
  /// The table (size, d) is normal with this standard deviation.
  Embedding(std::int64_t size, std::int64_t d, Initializer& init, double deviation);
  Tensor forward(const Tensor& tokens) override { return embedding(weight_, tokens); }
  /// The table: what add_to_each() adds where the vectors are those of places, and w of linear() where an
  /// output layer is tied to it.
  const Tensor& weight() const { return weight_; }

 private:
  Tensor weight_;
};

}  // namespace actlab
