// Self-attention.
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

Tensor MultiHeadAttention::attend(const Tensor& x, const Tensor& lengths) {
  const LayerScope scope = layer_scope();
  return project(x, lengths);
}

Tensor MultiHeadAttention::project(const Tensor& x, const Tensor& lengths) {
  return out_(attention(qkv_(x), heads_, lengths));
}

}  // namespace actlab
