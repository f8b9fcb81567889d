// Learned vectors of tokens, and of places.
#pragma once

#include "framework/nn/layers.h"

namespace actlab {

/// The vector of each token: tokens i32 (...) in [0, size) to (..., d).
class Embedding : public Module {
 public:
  /// Weights (size, d) are normal with this standard deviation.
  Embedding(std::int64_t size, std::int64_t d, double deviation, Initializer& init);
  Tensor forward(const Tensor& tokens) override { return embedding(weight_, tokens); }
  /// The table: of an output layer that is tied to it, w of linear().
  const Tensor& weight() const { return weight_; }

 private:
  Tensor weight_;
};

/// x (B, L, d) plus a learned vector for each of the L places.
class PositionEmbedding : public Module {
 public:
  PositionEmbedding(std::int64_t length, std::int64_t d, double deviation, Initializer& init);
  Tensor forward(const Tensor& x) override { return add_to_each(x, weight_); }

 private:
  Tensor weight_;
};

}  // namespace actlab
