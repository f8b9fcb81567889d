// Activations of every bf16 and every f16: the exact value rounded once, but for the error of the float that
// is rounded.
#include <gtest/gtest.h>

#include "kernels/reference/activation.h"
#include "tests/kernels/activation_support.h"

namespace actlab::test {
namespace {

template <class T>
std::vector<T> every_value() {
  std::vector<T> values;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) values.push_back({static_cast<std::uint16_t>(bits)});
  return values;
}

struct Bounds {
  double f, df;
};

// What the contract leaves to the float results.
Bounds float_errors(const ActivationInfo& info, double x, const Exact& at) {
  if (info.accuracy != Accuracy::exact)
    return {std::max(1e-5 * std::fabs(at.f), 1e-6), std::max(1e-5 * std::fabs(at.df), 1e-6)};
  return {3 * ulp_of<float>(at.f), 4 * derivative_unit(x, at.df, at.d2f) + 0x1p-149};
}

// |found - wanted| <= slack and half a unit of T for its rounding; infinities as bounded() counts them.
template <class T>
bool rounded_from(T found, double wanted, double slack) {
  const double error = bounded<T>(double{math::to_float(found)}) - bounded<T>(wanted);
  return std::fabs(error) <= ulp_of<T>(wanted) / 2 + slack;
}

template <class T>
void expect_rounded_once(ActivationKernels& kernels, const ActivationHandle& handle) {
  const ActivationType& type = handle.type();
  const ExactFunction exact = exact_function(type.info.name);
  const double parameter = handle.values()[0].as<double>();
  const std::vector<T> x = every_value<T>();
  const std::vector<T> y = forward(kernels, handle, x), dx = derivative(kernels, handle, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double at = double{math::to_float(x[i])};
    const auto where = [&] {
      return concat(kernels.implementation(), ' ', handle.spelled(), " of ", at, " in ", dtype_of<T>, ": f ",
                    math::to_float(y[i]), ", df ", math::to_float(dx[i]));
    };
    if (std::isnan(at)) {
      const bool both = std::isnan(math::to_float(y[i])) && std::isnan(math::to_float(dx[i]));
      // A constant f' reads no input.
      EXPECT_TRUE(both || (type.info.backward_reads == Reads::nothing && std::isnan(math::to_float(y[i]))))
          << where();
      continue;
    }
    const bool independent = exact != nullptr && std::isfinite(at);
    const Exact wanted = independent ? exact(at, parameter)
                                     : Exact{type.f(handle.values(), at), type.df(handle.values(), at), 0};
    const Bounds slack = std::isfinite(at) ? float_errors(type.info, at, wanted) : Bounds{0, 0};
    EXPECT_TRUE(rounded_from(y[i], wanted.f, slack.f)) << where() << ", exact f " << wanted.f;
    EXPECT_TRUE(rounded_from(dx[i], wanted.df, slack.df)) << where() << ", exact df " << wanted.df;
  }
}

TEST(ActivationHalfAccuracy, EveryValueIsRoundedOnce) {
  for (const auto& kernels : tested_activations()) {
    std::vector<std::string> names = activation_names();
    for (const char* name : {"swish(beta=0.05)", "swish(beta=-3.3)", "swish(beta=50)", "elu(alpha=0.3)",
                             "softplus(beta=5)", "leaky_relu(slope=-2)", "gelu_scaled(sigma=0.3)"})
      names.emplace_back(name);
    for (const std::string& name : names) {
      expect_rounded_once<BFloat16>(*kernels, ActivationHandle::parse(name));
      expect_rounded_once<Float16>(*kernels, ActivationHandle::parse(name));
    }
  }
}

// In double there is no float between: the nearest value of T, ties apart.
TEST(ActivationHalfAccuracy, TheReferenceRoundsOnce) {
  const auto reference = make_reference_activation();
  for (const std::string& name : activation_names()) {
    const ActivationHandle handle = ActivationHandle::parse(name);
    const std::vector<Float16> x = every_value<Float16>(), y = forward(*reference, handle, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double at = double{math::to_float(x[i])};
      if (std::isnan(at)) continue;
      EXPECT_TRUE(rounded_from(y[i], handle.type().f(handle.values(), at), 0)) << name << " of " << at;
    }
  }
}

TEST(ActivationHalfAccuracy, SubnormalResultsAreKept) {
  for (const auto& kernels : tested_activations()) {
    // -1.02e-38 and -1.16e-5: 111.1 and 195.3 of the least steps.
    const std::vector<BFloat16> x = {math::from_float<BFloat16>(-92)};
    EXPECT_EQ(forward(*kernels, ActivationHandle::parse("silu"), x)[0].bits, 0x806f);
    const std::vector<Float16> h = {math::from_float<Float16>(-14)};
    EXPECT_EQ(forward(*kernels, ActivationHandle::parse("silu"), h)[0].bits, 0x80c3);
  }
}

}  // namespace
}  // namespace actlab::test
