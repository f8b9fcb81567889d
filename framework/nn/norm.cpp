// Norms, and the running statistics of batch norm.
#include "framework/nn/norm.h"

#include "framework/ops/ops.h"

namespace actlab {
namespace {

void check_options(const char* layer, std::int64_t size, double epsilon) {
  ACTLAB_CHECK(size >= 1, layer, ": a size of ", size, ", at least 1 is needed");
  if (!(epsilon > 0)) throw ConfigError(concat(layer, ": epsilon must be above 0, found ", epsilon));
}

}  // namespace

BatchNorm2d::BatchNorm2d(std::int64_t channels, Initializer& init, const BatchNormOptions& options)
    : options_(options) {
  check_options("BatchNorm2d", channels, options.epsilon);
  if (!(options.momentum >= 0 && options.momentum <= 1))
    throw ConfigError(concat("BatchNorm2d: momentum must lie in [0, 1], found ", options.momentum));
  weight_ = init.ones(channels);
  bias_ = init.bias(channels);
  running_mean_ = init.bias(channels);
  running_var_ = init.ones(channels);
  add_parameter("weight", weight_);
  add_parameter("bias", bias_);
  add_buffer("running_mean", running_mean_);
  add_buffer("running_var", running_var_);
}

Tensor BatchNorm2d::running_moments() const {
  const std::int64_t channels = running_mean_.count();
  ElementwiseKernels& kernels = running_mean_.backend().elementwise;
  Tensor moments = Tensor::empty({2, channels}, DType::f64, running_mean_.backend());
  double* const means = moments.mutable_data().as<double>();
  kernels.cast(running_mean_.data(), {means, DType::f64, {channels}});
  kernels.cast(running_var_.data(), {means + channels, DType::f64, {channels}});
  return moments;
}

Tensor BatchNorm2d::forward(const Tensor& x) {
  ACTLAB_CHECK(x.shape().rank() == 4 && x.size(3) == weight_.count(), "BatchNorm2d: x (N, H, W, ",
               weight_.count(), ") wanted, found ", x.shape());
  if (!training())
    return batch_norm(x, weight_, bias_, running_moments(), Moments::constant, options_.epsilon);
  const Tensor moments = batch_moments(x);
  // The running variance is the unbiased one.
  const auto n = static_cast<double>(x.count() / x.size(3));
  x.backend().norm.move_running(moments.data(), options_.momentum, n / (n - 1), running_mean_.mutable_data(),
                                running_var_.mutable_data());
  return batch_norm(x, weight_, bias_, moments, Moments::of_batch, options_.epsilon);
}

LayerNorm::LayerNorm(std::int64_t size, Initializer& init, double epsilon) : epsilon_(epsilon) {
  check_options("LayerNorm", size, epsilon);
  weight_ = init.ones(size);
  bias_ = init.bias(size);
  add_parameter("weight", weight_);
  add_parameter("bias", bias_);
}

Tensor LayerNorm::forward(const Tensor& x) { return layer_norm(x, weight_, bias_, epsilon_); }

}  // namespace actlab
