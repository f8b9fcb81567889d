// Initial weights: normal with a standard deviation made of the layer's fan and a gain, keyed by seed and
// layer, so that models that share a seed share the weights of layers of equal shape, whatever their
// activation.
#pragma once

#include <cstdint>

#include "framework/core/tensor.h"

namespace actlab {

/// kaiming: gain / sqrt(fan_in), He et al. 2015, arXiv:1502.01852; xavier: gain * sqrt(2 / (fan_in +
/// fan_out)), Glorot and Bengio 2010.
enum class InitScheme : std::uint8_t { kaiming, xavier };

/// What the masks of a dropout layer depend on, beside the forward pass.
struct DropoutKey {
  std::uint64_t seed;
  std::uint64_t layer;
};

/// What layers are made with: their weights, and the type that they compute in.
class Initializer {
 public:
  /// `precision` is f32, bf16 or f16, else ConfigError. Parameters are f32 in each.
  Initializer(std::uint64_t seed, InitScheme scheme, Backend& backend, DType precision = DType::f32);

  /// The type of what matrix products and convolutions multiply, and of what activations read and give.
  DType precision() const { return precision_; }

  /// Weights of the next layer; its first dimension is the outputs, the others are the inputs of one output.
  /// fan_out counts the places of a filter: `receptive` = kernel_h * kernel_w, 1 for a linear layer.
  Tensor weight(const Shape& shape, std::int64_t receptive, double gain);
  /// Weights of the next layer with a given standard deviation.
  Tensor normal(const Shape& shape, double deviation);
  /// Zeros.
  Tensor bias(std::int64_t size) const;
  Tensor ones(std::int64_t size) const { return constant(size, 1); }
  Tensor constant(std::int64_t size, double value) const;
  /// The seed, and how many layers have asked for it before: two such layers draw different masks.
  DropoutKey dropout_key() { return {seed_, dropouts_++}; }

 private:
  std::uint64_t seed_;
  InitScheme scheme_;
  Backend& backend_;
  DType precision_;
  std::uint64_t layer_ = 0;
  std::uint64_t dropouts_ = 0;
};

}  // namespace actlab
