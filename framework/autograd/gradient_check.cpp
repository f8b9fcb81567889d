// Central differences of a weighted sum of the outputs.
#include "framework/autograd/gradient_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "framework/autograd/grad_mode.h"
#include "framework/ops/ops.h"
#include "kernels/random.h"

namespace actlab {
namespace {

Tensor weighted_sum(const Tensor& y) { return sum(multiply(y, random_input(y.shape(), 0x5eed))); }

}  // namespace

Tensor random_input(const Shape& shape, std::uint64_t seed) {
  const Random random(seed, RandomPurpose::init);
  std::vector<double> values(static_cast<std::size_t>(shape.count()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 2.0 * random.uniform(i) - 1.0;
  return Tensor::from(values, shape, find_backend("reference"));
}

GradientCheck check_gradients(const std::function<Tensor(const std::vector<Tensor>&)>& f,
                              std::vector<Tensor> inputs, const GradientCheckOptions& options) {
  for (Tensor& input : inputs) {
    ACTLAB_CHECK(input.defined() && input.dtype() == DType::f64,
                 "check_gradients: inputs must be f64 tensors");
    input.require_grad();
    input.clear_grad();
  }
  weighted_sum(f(inputs)).backward();

  GradientCheck result;
  const NoGrad no_grad;
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    Tensor& input = inputs[k];
    const auto count = static_cast<std::size_t>(input.count());
    const std::vector<double> gradient =
        input.grad().defined() ? input.grad().to_vector<double>() : std::vector<double>(count, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
      double* const element = input.mutable_data().as<double>() + i;
      const double x = *element;
      const double step = options.step * std::max(1.0, std::fabs(x));
      *element = x + step;
      const double above = weighted_sum(f(inputs)).item();
      *element = x - step;
      const double below = weighted_sum(f(inputs)).item();
      *element = x;
      const double difference = (above - below) / (2.0 * step);
      const double error = std::fabs(gradient[i] - difference) /
                           std::max({1.0, std::fabs(gradient[i]), std::fabs(difference)});
      if (error > result.worst || std::isnan(error)) {
        result.worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
        result.message =
            concat("input ", k, ", element ", i, ": gradient ", gradient[i], ", difference ", difference);
      }
    }
  }
  result.passed = result.worst <= options.tolerance;
  return result;
}

}  // namespace actlab
