// Construction of layers, and what is more than a line of their forward passes.
#include "framework/nn/layers.h"

namespace actlab {

Linear::Linear(std::int64_t in, std::int64_t out, Initializer& init, double gain, DType result)
    : precision_(init.precision()), result_(result) {
  ACTLAB_CHECK(in >= 1 && out >= 1, "Linear: ", in, " inputs and ", out, " outputs: both must be at least 1");
  weight_ = init.weight({out, in}, 1, gain);
  bias_ = init.bias(out);
  add_parameter("weight", weight_);
  add_parameter("bias", bias_);
}

Conv2d::Conv2d(std::int64_t in, std::int64_t out, std::int64_t kernel, const Conv2dOptions& options,
               Initializer& init, double gain, DType result)
    : options_(options), precision_(init.precision()), result_(result) {
  ACTLAB_CHECK(in >= 1 && out >= 1 && kernel >= 1, "Conv2d: ", in, " input channels, ", out,
               " output channels and a kernel of ", kernel, ": all must be at least 1");
  weight_ = init.weight({out, kernel, kernel, in}, kernel * kernel, gain);
  bias_ = init.bias(out);
  add_parameter("weight", weight_);
  add_parameter("bias", bias_);
}

Dropout::Dropout(double p, Initializer& init) : p_(p), key_(init.dropout_key()) {
  if (!(p >= 0 && p <= 1)) throw ConfigError(concat("dropout: the probability ", p, " must lie in [0, 1]"));
}

Tensor Dropout::forward(const Tensor& x) {
  if (!training()) return x;
  const auto pass = static_cast<std::uint64_t>(this->pass());
  return dropout(x, p_, Random(key_.seed, RandomPurpose::dropout, key_.layer << 32 | pass));
}

Activation::Activation(const ActivationHandle& activation, std::int64_t channels, Initializer& init)
    : activation_(activation), precision_(init.precision()) {
  if (activation.learned() == Learned::fixed) return;
  ACTLAB_CHECK(channels >= 1, "Activation: ", channels, " channels, at least 1 is needed");
  parameter_ = init.constant(activation.learned() == Learned::layer ? 1 : channels, activation.start());
  add_learned(*activation.type().learnable(), parameter_);
}

Tensor Activation::forward(const Tensor& x) {
  const Tensor in = cast(x, precision_);
  if (activation_.gated()) return gate(in, activation_);
  return parameter_.defined() ? activate(in, activation_, parameter_) : activate(in, activation_);
}

void Sequential::add(std::string name, std::unique_ptr<Module> layer) {
  add_part(std::move(name), *layer);
  layers_.push_back(std::move(layer));
}

Tensor Sequential::forward(const Tensor& x) {
  Tensor y = x;
  for (const auto& layer : layers_) y = (*layer)(y);
  return y;
}

}  // namespace actlab
