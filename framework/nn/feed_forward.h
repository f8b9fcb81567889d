// The feed-forward network of transformers: two linear layers around an activation, plain or gated.
#pragma once

#include "framework/nn/layers.h"

namespace actlab {

/// y = f(x) w^T + b in one operation: x (..., in), or gate | up (..., 2 * in) where the activation is gated.
/// x is rounded to the precision of `init`, y is f32.
class ActivationLinear : public Module {
 public:
  ActivationLinear(const ActivationHandle& activation, std::int64_t in, std::int64_t out, Initializer& init);
  Tensor forward(const Tensor& x) override {
    return activate_linear(cast(x, precision_), activation_, weight_, bias_, DType::f32);
  }

 private:
  ActivationHandle activation_;
  DType precision_;
  Tensor weight_, bias_;
};

/// The width of a gated network with as many parameters as a plain one of width d_ff: 2/3 of it, rounded to a
/// multiple of 8, at least 8. Shazeer 2020, arXiv:2002.05202.
std::int64_t gated_width(std::int64_t d_ff);

/// (..., d) to (..., width) to (..., d). Plain: layers "up" and "down"; gated: "gate_up", whose output is
/// gate | up side by side (..., 2 * width), and "down". Both draw two weights. Where `fuse` is false or the
/// activation is learned, it is a layer "act" of its own between them, and "down" then keeps its own input:
/// the same bits in more memory.
class FeedForward : public Module {
 public:
  FeedForward(std::int64_t d, std::int64_t width, const ActivationHandle& activation, Initializer& init,
              bool fuse = true);
  Tensor forward(const Tensor& x) override;

 private:
  Linear up_;
  std::unique_ptr<Activation> activation_;  ///< null where it is a part of down_
  std::unique_ptr<Module> down_;
};

}  // namespace actlab
