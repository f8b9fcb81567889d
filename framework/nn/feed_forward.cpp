// Construction of feed-forward networks.
#include "framework/nn/feed_forward.h"

#include <algorithm>

namespace actlab {

ActivationLinear::ActivationLinear(const ActivationHandle& activation, std::int64_t in, std::int64_t out,
                                   Initializer& init)
    : activation_(activation), precision_(init.precision()) {
  ACTLAB_CHECK(in >= 1 && out >= 1, "ActivationLinear: ", in, " inputs and ", out,
               " outputs: both must be at least 1");
  weight_ = init.weight({out, in}, 1, 1.0);
  bias_ = init.bias(out);
  add_parameter("weight", weight_);
  add_parameter("bias", bias_);
}

std::int64_t gated_width(std::int64_t d_ff) {
  ACTLAB_CHECK(d_ff >= 1, "gated_width: of ", d_ff, "; at least 1 is needed");
  return std::max<std::int64_t>(8, (2 * d_ff + 12) / 24 * 8);  // d_ff * 2/3 / 8 = d_ff / 12, rounded
}

FeedForward::FeedForward(std::int64_t d, std::int64_t width, const ActivationHandle& activation,
                         Initializer& init, bool fuse)
    : up_(d, activation.gated() ? 2 * width : width, init, 1.0, init.precision()) {
  add_part(activation.gated() ? "gate_up" : "up", up_);
  if (fuse && activation.learned() == Learned::fixed) {
    down_ = std::make_unique<ActivationLinear>(activation, width, d, init);
  } else {
    activation_ = std::make_unique<Activation>(activation, width, init);
    add_part("act", *activation_);
    down_ = std::make_unique<Linear>(width, d, init, 1.0);
  }
  add_part("down", *down_);
}

Tensor FeedForward::forward(const Tensor& x) {
  const Tensor hidden = up_(x);
  return (*down_)(activation_ ? (*activation_)(hidden) : hidden);
}

}  // namespace actlab
