// Self-attention.
#pragma once

#include "framework/nn/layers.h"

namespace actlab {

/// Multi-head self-attention of (B, L, d): one projection to queries | keys | values ("qkv"), attention, and
/// the output's ("out").
class MultiHeadAttention : public Module {
 public:
  /// `heads` must divide d, else ConfigError.
  MultiHeadAttention(std::int64_t d, std::int64_t heads, Initializer& init);
  /// Over all places.
  Tensor forward(const Tensor& x) override { return project(x, {}); }
  /// Over the first lengths[b] (i32 (B)) places of each window; undefined lengths: all.
  Tensor attend(const Tensor& x, const Tensor& lengths);

 private:
  Tensor project(const Tensor& x, const Tensor& lengths);

  std::int64_t heads_;
  Linear qkv_, out_;
};

}  // namespace actlab
