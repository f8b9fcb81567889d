// What mixes the places of a window: self-attention, or one learned matrix.
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
  Tensor forward(const Tensor& x) override { return attend(x, {}); }
  using Module::operator();
  /// Over the first lengths[b] (i32 (B)) places of each window; undefined lengths: all.
  Tensor operator()(const Tensor& x, const Tensor& lengths);

 private:
  Tensor attend(const Tensor& x, const Tensor& lengths);

  std::int64_t heads_;
  Linear qkv_, out_;
};

/// y[b, i, :] = sum over j of W[i, j] x[b, j, :] for x (B, L, d): W (L, L) begins as the identity and a
/// little noise, of standard deviation 0.02.
class WindowMixing : public Module {
 public:
  WindowMixing(std::int64_t length, Initializer& init);
  Tensor forward(const Tensor& x) override { return mix_window(x, weight_); }

 private:
  Tensor weight_;
};

}  // namespace actlab
