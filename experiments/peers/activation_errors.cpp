// Largest errors of an activation's values against its double bodies.
#include "experiments/peers/activation_errors.h"

#include "kernels/math/half.h"
#include "kernels/reference/activation_units.h"

namespace actlab {
namespace {

// Greater, or the first that is no number.
void note(double error, double at, double& largest, double& largest_at) {
  if (error > largest) largest = error, largest_at = at;
}

}  // namespace

std::vector<float> sampled_floats(std::uint32_t stride, float most) {
  constexpr std::uint32_t minus = 0x80000000u;
  std::vector<float> floats;
  for (std::uint64_t bits = 0; bits <= math::float_bits(most); bits += stride) {
    floats.push_back(math::float_of(static_cast<std::uint32_t>(bits)));
    floats.push_back(math::float_of(static_cast<std::uint32_t>(bits) | minus));
  }
  return floats;
}

LargestErrors largest_errors(const ActivationHandle& activation, const std::vector<float>& x,
                             const std::vector<float>& f, const std::vector<float>& df) {
  const ActivationType& type = activation.type();
  const ParameterValues& values = activation.values();
  LargestErrors errors;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double at = double{x[i]};
    note(ulps(f[i], type.f(values, at)), at, errors.f, errors.f_at);
    note(derivative_units(df[i], at, type.df(values, at), type.d2f(values, at)), at, errors.df, errors.df_at);
  }
  return errors;
}

LargestErrors largest_errors(const ActivationHandle& activation, const std::vector<float>& x,
                             ActivationKernels& kernels) {
  const Shape shape{static_cast<std::int64_t>(x.size())};
  std::vector<float> f(x.size()), df(x.size());
  const std::vector<float> ones(x.size(), 1.0f);
  const bool reads_output = activation.info().backward_reads == Reads::output;
  kernels.forward(activation, {x.data(), DType::f32, shape}, {f.data(), DType::f32, shape});
  kernels.backward(activation, {(reads_output ? f : x).data(), DType::f32, shape},
                   {ones.data(), DType::f32, shape}, {df.data(), DType::f32, shape});
  return largest_errors(activation, x, f, df);
}

}  // namespace actlab
