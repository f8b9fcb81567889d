// The places of a window mixed by one learned matrix.
#pragma once

#include "framework/nn/layers.h"

namespace actlab {

/// y[b, i, :] = sum over j of W[i, j] x[b, j, :] for x (B, L, d): W (L, L) begins as the identity and a
/// little noise, of standard deviation 0.02.
class WindowMixing : public Module {
 public:
  WindowMixing(std::int64_t length, Initializer& init);
  Tensor forward(const Tensor& x) override { return mix_window(x, weight_); }
  /// Places from lengths[b] (i32 (B)) on count as 0; undefined lengths: every place counts.
  Tensor mix(const Tensor& x, const Tensor& lengths);

 private:
  Tensor weight_;
};

}  // namespace actlab
