// Self-attention and window mixing.
#include "framework/nn/attention.h"

#include "framework/autograd/node.h"

namespace actlab {
namespace {

std::int64_t checked_heads(std::int64_t d, std::int64_t heads) {
  if (heads < 1 || d < 1 || d % heads != 0)
    throw ConfigError(
        concat("attention: ", heads, " heads do not divide the width d = ", d, "; choose heads that do"));
  return heads;
}

}  // namespace

MultiHeadAttention::MultiHeadAttention(std::int64_t d, std::int64_t heads, Initializer& init)
    : heads_(checked_heads(d, heads)), qkv_(d, 3 * d, init, 1.0), out_(d, d, init, 1.0) {
  add_part("qkv", qkv_);
  add_part("out", out_);
}

Tensor MultiHeadAttention::operator()(const Tensor& x, const Tensor& lengths) {
  const LayerScope scope(name());
  return attend(x, lengths);
}

Tensor MultiHeadAttention::attend(const Tensor& x, const Tensor& lengths) {
  return out_(attention(qkv_(x), heads_, lengths));
}

WindowMixing::WindowMixing(std::int64_t length, Initializer& init) {
  ACTLAB_CHECK(length >= 1, "WindowMixing: a window of ", length, " places, at least 1 is needed");
  const Tensor noise = init.normal({length, length}, 0.02);
  std::vector<float> values = noise.to_vector<float>();
  for (std::int64_t i = 0; i < length; ++i) values[static_cast<std::size_t>(i * length + i)] += 1.0F;
  weight_ = Tensor::from(values, noise.shape(), noise.backend(), MemoryKind::parameters);
  add_parameter("weight", weight_);
}

}  // namespace actlab
