// Layers that bring their input to mean 0 and variance 1.
#pragma once

#include "framework/nn/init.h"
#include "framework/nn/module.h"

namespace actlab {

struct BatchNormOptions {
  double epsilon = 1e-5;
  double momentum = 0.1;  ///< weight of the new value: running = (1 - momentum) * running + momentum * batch
};

/// Batch norm of (N, H, W, channels). In training by the moments of the batch, which needs N * H * W >= 2
/// (else Error), in evaluation by the running ones, which only training moves. The running variance is the
/// unbiased one, as in PyTorch. Parameters weight and bias, buffers running_mean and running_var.
class BatchNorm2d : public Module {
 public:
  /// epsilon > 0, momentum in [0, 1], else ConfigError.
  BatchNorm2d(std::int64_t channels, Initializer& init, const BatchNormOptions& options = {});
  Tensor forward(const Tensor& x) override;

 private:
  Tensor running_moments() const;

  BatchNormOptions options_;
  Tensor weight_, bias_, running_mean_, running_var_;
};

/// Layer norm over the last dimension, of `size`. Parameters weight and bias.
class LayerNorm : public Module {
 public:
  /// epsilon > 0, else ConfigError.
  LayerNorm(std::int64_t size, Initializer& init, double epsilon = 1e-5);
  Tensor forward(const Tensor& x) override;

 private:
  double epsilon_;
  Tensor weight_, bias_;
};

}  // namespace actlab
