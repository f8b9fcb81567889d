// df is the derivative of f: by dual numbers through f, and by central differences of f.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/activations/elu.h"
#include "kernels/activations/gelu.h"
#include "kernels/activations/gelu_scaled.h"
#include "kernels/activations/gelu_sigmoid.h"
#include "kernels/activations/gelu_tanh.h"
#include "kernels/activations/hardswish.h"
#include "kernels/activations/identity.h"
#include "kernels/activations/leaky_relu.h"
#include "kernels/activations/mish.h"
#include "kernels/activations/relu.h"
#include "kernels/activations/relu_squared.h"
#include "kernels/activations/selu.h"
#include "kernels/activations/sigmoid.h"
#include "kernels/activations/silu.h"
#include "kernels/activations/softplus.h"
#include "kernels/activations/swish.h"
#include "kernels/activations/tanh.h"
#include "kernels/math/dual.h"

namespace actlab::test {
namespace {

// The double bodies as functions of the registry, so that an activation added later is checked too.
double f(const ActivationHandle& handle, double x) { return handle.type().f(handle.values(), x); }
double df(const ActivationHandle& handle, double x) { return handle.type().df(handle.values(), x); }
double d2f(const ActivationHandle& handle, double x) { return handle.type().d2f(handle.values(), x); }

double central(double (*g)(const ActivationHandle&, double), const ActivationHandle& handle, double x) {
  const double h = 1e-5 * std::max(1.0, std::fabs(x));
  return (g(handle, x + h) - g(handle, x - h)) / (2 * h);
}

// Points between the corners of the piecewise ones, at 0 and +-3.
std::vector<double> points() {
  std::vector<double> all;
  for (double x = -30.0123; x < 30; x += 0.137) all.push_back(x);
  return all;
}

std::vector<ActivationHandle> handles() {
  std::vector<ActivationHandle> all;
  for (const ActivationType& type : activation_types())
    if (!type.info.straight_through) all.push_back(ActivationHandle::parse(type.info.name));
  for (const char* text :
       {"leaky_relu(slope=-2)", "elu(alpha=0.3)", "swish(beta=-0.7)", "swish(beta=0)", "swish(beta=4)",
        "gelu_scaled(sigma=0.4)", "gelu_scaled(sigma=3)", "softplus(beta=0.3)", "softplus(beta=7)"})
    all.push_back(ActivationHandle::parse(text));
  return all;
}

TEST(ActivationGradient, CentralDifferences) {
  for (const ActivationHandle& handle : handles())
    for (const double x : points()) {
      EXPECT_NEAR(central(f, handle, x), df(handle, x), 1e-8 * std::max(1.0, std::fabs(x)))
          << handle.spelled() << " at " << x;
      EXPECT_NEAR(central(df, handle, x), d2f(handle, x), 1e-8 * std::max(1.0, std::fabs(x)))
          << handle.spelled() << "' at " << x;
    }
}

TEST(ActivationGradient, SecondDerivativeOfNanIsNan) {
  for (const ActivationType& type : activation_types())
    EXPECT_TRUE(std::isnan(d2f(ActivationHandle::parse(type.info.name), NAN))) << type.info.name;
}

TEST(ActivationGradient, BackwardReadsWhatItSays) {
  for (const ActivationHandle& handle : handles())
    for (const double x : points()) {
      const double kept = handle.info().backward_reads == Reads::output ? f(handle, x) : x;
      EXPECT_EQ(handle.type().backward(handle.values(), kept), df(handle, x))
          << handle.spelled() << " at " << x;
    }
}

template <class A>
class ActivationDualGradient : public testing::Test {};

using Bodies =
    testing::Types<activations::Elu, activations::Gelu, activations::GeluScaled, activations::GeluSigmoid,
                   activations::GeluTanh, activations::Hardswish, activations::Identity,
                   activations::LeakyRelu, activations::Mish, activations::Relu, activations::ReluSquared,
                   activations::Selu, activations::Sigmoid, activations::Silu, activations::Softplus,
                   activations::Swish, activations::Tanh>;
TYPED_TEST_SUITE(ActivationDualGradient, Bodies);

TYPED_TEST(ActivationDualGradient, DualOfFIsDf) {
  const TypeParam body;
  std::vector<double> all = points();
  for (double x = 1e-300; x < 1e3; x *= 7) all.insert(all.end(), {x, -x});
  for (const double x : all) {
    const double exact = body.df(x), bend = math::Dual<double>(body.df(math::Dual<double>(x, 1))).derivative;
    const double scale = std::max(std::fabs(exact), std::min(std::fabs(x), 1.0) * std::fabs(bend));
    EXPECT_NEAR(body.f(math::Dual<double>(x, 1)).derivative, exact, 1e-13 * scale + 1e-300) << " at " << x;
  }
}

}  // namespace
}  // namespace actlab::test
