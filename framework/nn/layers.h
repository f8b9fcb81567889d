// Layers without state of their own but parameters. Those that multiply or activate round their input to the
// type that their Initializer computes in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "framework/nn/init.h"
#include "framework/nn/module.h"
#include "framework/ops/ops.h"
#include "kernels/activation.h"

namespace actlab {

/// y = x w^T + b: x (..., in), w (out, in). `result` is y's type: the precision of `init` where an activation
/// follows, else f32.
class Linear : public Module {
 public:
  Linear(std::int64_t in, std::int64_t out, Initializer& init, double gain, DType result = DType::f32);
  Tensor forward(const Tensor& x) override { return linear(cast(x, precision_), weight_, bias_, result_); }

 private:
  DType precision_, result_;
  Tensor weight_, bias_;
};

/// Convolution of (N, H, W, in) by (out, kernel, kernel, in); `result` as of Linear.
class Conv2d : public Module {
 public:
  Conv2d(std::int64_t in, std::int64_t out, std::int64_t kernel, const Conv2dOptions& options,
         Initializer& init, double gain, DType result = DType::f32);
  Tensor forward(const Tensor& x) override {
    return conv2d(cast(x, precision_), weight_, bias_, options_, result_);
  }

 private:
  Conv2dOptions options_;
  DType precision_, result_;
  Tensor weight_, bias_;
};

class MaxPool2d : public Module {
 public:
  explicit MaxPool2d(std::int64_t kernel) : kernel_(kernel) {}
  Tensor forward(const Tensor& x) override { return max_pool2d(x, kernel_, kernel_); }

 private:
  std::int64_t kernel_;
};

class AvgPool2d : public Module {
 public:
  explicit AvgPool2d(std::int64_t kernel) : kernel_(kernel) {}
  Tensor forward(const Tensor& x) override { return avg_pool2d(x, kernel_, kernel_); }

 private:
  std::int64_t kernel_;
};

/// In training zero with probability p, else x / (1 - p); in evaluation x itself.
class Dropout : public Module {
 public:
  /// p in [0, 1], else ConfigError.
  Dropout(double p, Initializer& init);
  Tensor forward(const Tensor& x) override;

 private:
  double p_;
  DropoutKey key_;
};

/// (N, H, W, C) to (N, H * W * C).
class Flatten : public Module {
 public:
  Tensor forward(const Tensor& x) override { return flatten(x); }
};

/// Any activation of the registry, of x (..., channels); of gate | up (..., 2 * channels) where it is gated.
/// Where the handle is learned, its parameter is trained from its value there: one for the layer, or one a
/// channel.
class Activation : public Module {
 public:
  Activation(const ActivationHandle& activation, std::int64_t channels, Initializer& init);
  Tensor forward(const Tensor& x) override;

 private:
  ActivationHandle activation_;
  DType precision_;
  Tensor parameter_;  ///< undefined where nothing is trained
};

/// An activation that is not learned, and max-pooling by windows side by side, in one pass.
class ActivationMaxPool2d : public Module {
 public:
  ActivationMaxPool2d(const ActivationHandle& activation, std::int64_t kernel, const Initializer& init)
      : activation_(activation), kernel_(kernel), precision_(init.precision()) {}
  Tensor forward(const Tensor& x) override {
    return activate_max_pool2d(cast(x, precision_), activation_, kernel_);
  }

 private:
  ActivationHandle activation_;
  std::int64_t kernel_;
  DType precision_;
};

/// Layers one after the other.
class Sequential : public Module {
 public:
  /// `name` is unique here; it stands in parameters' names and in lists of memory by layer.
  void add(std::string name, std::unique_ptr<Module> layer);
  Tensor forward(const Tensor& x) override;

 private:
  std::vector<std::unique_ptr<Module>> layers_;
};

}  // namespace actlab
