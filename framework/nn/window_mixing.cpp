// The initial matrix of window mixing, and padding.
#include "framework/nn/window_mixing.h"

#include "framework/autograd/node.h"

namespace actlab {

WindowMixing::WindowMixing(std::int64_t length, Initializer& init) {
  ACTLAB_CHECK(length >= 1, "WindowMixing: a window of ", length, " places, at least 1 is needed");
  const Tensor noise = init.normal({length, length}, 0.02);
  std::vector<float> values = noise.to_vector<float>();
  for (std::int64_t i = 0; i < length; ++i) values[static_cast<std::size_t>(i * length + i)] += 1.0F;
  weight_ = Tensor::from(values, noise.shape(), noise.backend(), MemoryKind::parameters);
  add_parameter("weight", weight_);
}

Tensor WindowMixing::mix(const Tensor& x, const Tensor& lengths) {
  const LayerScope scope = layer_scope();
  return forward(lengths.defined() ? clear_padding(x, lengths) : x);
}

}  // namespace actlab
