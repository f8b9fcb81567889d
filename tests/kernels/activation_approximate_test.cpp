// Approximations of GELU under names of their own: the errors that their headers state, gradients of the
// function that they follow, tables that no thread finds empty, integers.
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "kernels/error.h"
#include "kernels/reference/activation.h"
#include "tests/kernels/activation_support.h"

namespace actlab::test {
namespace {

const ActivationHandle gelu = ActivationHandle::parse("gelu");

using Scalar = ActivationType::Scalar ActivationType::*;

// The largest difference from GELU at many points of [from, to].
double distance(const ActivationHandle& handle, Scalar function, double from, double to) {
  double most = 0;
  for (double x = from; x <= to; x += 0.000371)
    most = std::max(most, std::fabs((handle.type().*function)(handle.values(), x) -
                                    (gelu.type().*function)(gelu.values(), x)));
  return most;
}

// The stated error holds, and is no larger than it need be.
void expect_states(double stated, double found) {
  EXPECT_LE(found, stated);
  EXPECT_GE(found, 0.9 * stated);
}

TEST(ActivationApproximate, StatedErrorsHold) {
  const auto f = &ActivationType::f, df = &ActivationType::df;
  const auto lut = ActivationHandle::parse("gelu_lut");
  expect_states(2.5e-5, distance(lut, f, -40, 40));
  expect_states(2.5e-5, distance(lut, df, -40, 40));
  const auto clamped = ActivationHandle::parse("gelu_clamped");
  expect_states(2.04e-2, distance(clamped, f, -3, 3));
  EXPECT_NEAR(clamped.type().f({}, -40), -0.018, 1e-3);
  EXPECT_NEAR(clamped.type().f({}, 40), 2.982, 1e-3);
  for (const double range : {1.0, 7.9, 8.0}) {
    const double step = std::exp2(std::ceil(std::log2(range / 127)));
    expect_states(1.07 * step,
                  distance(ActivationHandle::parse("gelu_int8").with("range", range), f, -range, range));
  }
}

TEST(ActivationApproximate, GradientsAreThoseOfTheSmoothFunction) {
  const std::vector<float> x = {-2, -0.5, 0.5, 2};
  const std::vector<double> slopes = {-0.0852318011, 0.132504875, 0.867495125, 1.0852318};
  for (const char* name : {"gelu_lut", "gelu_int8", "gelu_clamped"})
    for (const auto& kernels : tested_activations()) {
      const auto handle = ActivationHandle::parse(name);
      const std::vector<float> dx = derivative(*kernels, handle, x);
      // gelu_clamped has its own slope, as far from GELU's as the sigmoid form's.
      const double tolerance = handle.info().straight_through ? 3e-5 : 0.03;
      for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(dx[i], slopes[i], tolerance) << name << " at " << x[i];
    }
}

TEST(ActivationApproximate, FirstCallsOfManyThreadsFindTheTable) {
  std::vector<float> x;
  for (float at = -7; at < 7; at += 0.013f) x.push_back(at);
  const auto kernels = best_activation();
  std::vector<std::vector<float>> found(8);
  std::vector<std::thread> threads;
  for (auto& y : found)
    threads.emplace_back([&] { y = forward(*kernels, ActivationHandle::parse("gelu_lut"), x); });
  for (std::thread& thread : threads) thread.join();
  const std::vector<float> alone = forward(*kernels, ActivationHandle::parse("gelu_lut"), x);
  for (const auto& y : found) EXPECT_EQ(y, alone);
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(alone[i], gelu.type().f({}, static_cast<double>(x[i])), 3e-5);
}

TEST(ActivationApproximate, Int8HasWholeStepsOfAPowerOfTwo) {
  const auto handle = ActivationHandle::parse("gelu_int8(range=3)");
  constexpr float step = 0x1p-5f;  // 127 of them reach 3, of half the size they do not
  std::vector<float> x;
  for (float at = -5; at < 5; at += 0.0007f) x.push_back(at);
  for (const auto& kernels : tested_activations()) {
    const std::vector<float> y = forward(*kernels, handle, x);
    for (const float value : y) {
      EXPECT_EQ(value / step, std::nearbyint(value / step));
      EXPECT_LE(std::fabs(value), 127 * step);
    }
    EXPECT_LE((std::set<float>(y.begin(), y.end()).size()), 255u);
  }
  // Beyond the last step nothing is passed back.
  const std::vector<float> beyond = {-4, 4}, within = {3.9f};
  EXPECT_EQ(derivative(*best_activation(), handle, beyond), (std::vector<float>{0, 0}));
  EXPECT_GT(derivative(*best_activation(), handle, within)[0], 0.9f);
}

TEST(ActivationApproximate, ObservedParametersAreSpelledAndReplaced) {
  const auto handle = ActivationHandle::parse("gelu_int8");
  EXPECT_TRUE(handle.observes());
  EXPECT_EQ(handle.spelled(), "gelu_int8(range=observed)");
  EXPECT_TRUE(ActivationHandle::parse(handle.spelled()).observes());
  EXPECT_FALSE(ActivationHandle::parse("gelu_int8(range=6)").observes());
  EXPECT_EQ(ActivationHandle::parse("gelu_int8(range=6)").spelled(), "gelu_int8(range=6)");
  EXPECT_EQ(handle.for_data(2.5).spelled(), "gelu_int8(range=2.5)");
  EXPECT_EQ(handle.for_data(0).spelled(), "gelu_int8(range=1e-30)");
  EXPECT_EQ(handle.for_data(HUGE_VAL).spelled(), "gelu_int8(range=1e+30)");
  EXPECT_FALSE(gelu.observes());
  EXPECT_THROW(gelu.for_data(1), Error);
  EXPECT_THROW(ActivationHandle::parse("elu(alpha=observed)"), ConfigError);
  EXPECT_THROW(ActivationHandle::parse("gelu_int8(range=-1)"), ConfigError);
}

}  // namespace
}  // namespace actlab::test
