// Draws initial weights.
#include "framework/nn/init.h"

#include <cmath>

#include "kernels/random.h"

namespace actlab {

Initializer::Initializer(std::uint64_t seed, InitScheme scheme, Backend& backend, DType precision)
    : seed_(seed), scheme_(scheme), backend_(backend), precision_(precision) {
  if (precision != DType::f32 && !is_half(precision))
    throw ConfigError(concat("precision: layers compute in f32, bf16 or f16, not in ", precision));
}

Tensor Initializer::weight(const Shape& shape, std::int64_t receptive, double gain) {
  const auto fan_in = static_cast<double>(shape.count() / shape[0]);
  const auto fan_out = static_cast<double>(shape[0] * receptive);
  return normal(shape, scheme_ == InitScheme::kaiming ? gain / std::sqrt(fan_in)
                                                      : gain * std::sqrt(2.0 / (fan_in + fan_out)));
}

Tensor Initializer::normal(const Shape& shape, double deviation) {
  const Random random(seed_, RandomPurpose::init, layer_++);
  std::vector<float> values(static_cast<std::size_t>(shape.count()));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(deviation * random.normal(i));
  return Tensor::from(values, shape, backend_, MemoryKind::parameters);
}

Tensor Initializer::bias(std::int64_t size) const {
  return Tensor::zeros({size}, DType::f32, backend_, MemoryKind::parameters);
}

Tensor Initializer::constant(std::int64_t size, double value) const {
  const std::vector<float> values(static_cast<std::size_t>(size), static_cast<float>(value));
  return Tensor::from(values, {size}, backend_, MemoryKind::parameters);
}

}  // namespace actlab
