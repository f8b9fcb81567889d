// A layer: squeeze and excite.
#pragma once

#include "framework/nn/layers.h"
#include "scale_channels.h"

namespace example {

/// Means of the channels of x (N, H, W, C) over its pixels: (N, C), f32.
inline actlab::Tensor channel_means(const actlab::Tensor& x) {
  const std::int64_t pixels = x.size(1) * x.size(2);
  const actlab::Tensor wide = actlab::cast(x, actlab::DType::f32).reshape({x.size(0), pixels, x.size(3)});
  return actlab::scale(actlab::sum(wide, 1), 1.0 / static_cast<double>(pixels));
}

/// Opens or closes each channel of an image by what all of the image holds: x * sigmoid(W2 act(W1 means(x))),
/// W1 (channels / reduction, channels). Hu, Shen, Albanie, Sun and Wu 2017, arXiv:1709.01507.
class SqueezeExcite : public actlab::Module {
 public:
  SqueezeExcite(std::int64_t channels, std::int64_t reduction, const actlab::ActivationHandle& activation,
                actlab::Initializer& init)
      : squeeze_(channels, channels / reduction, init, 1.0, init.precision()),
        activation_(activation, channels / reduction, init),
        excite_(channels / reduction, channels, init, 1.0) {
    add_part("squeeze", squeeze_);
    add_part("activation", activation_);
    add_part("excite", excite_);
  }

  /// x (N, H, W, channels) f32, and so is the result.
  actlab::Tensor forward(const actlab::Tensor& x) override {
    static const auto sigmoid = actlab::ActivationHandle::parse("sigmoid");
    const actlab::Tensor squeezed = activation_(squeeze_(channel_means(x)));  // (N, channels / reduction)
    return scale_channels(x, actlab::activate(excite_(squeezed), sigmoid));
  }

 private:
  actlab::Linear squeeze_;
  actlab::Activation activation_;
  actlab::Linear excite_;
};

}  // namespace example
