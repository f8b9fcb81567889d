// Kernels of activations with a trained parameter: each element is what the plain kernels give for the value
// of its channel, for every size and number of threads, and dparameter is the derivative of f.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/cpu/threads.h"
#include "kernels/reference/activation.h"
#include "tests/kernels/activation_support.h"
#include "tests/kernels/arrays.h"
#include "tests/support/learnable.h"

namespace actlab::test {
namespace {

// Values in the range, from 0.5 to 1.5 but for the first, which is large.
TestArray<float> values_of(std::int64_t count) {
  TestArray<float> values({count});
  for (std::int64_t c = 0; c < count; ++c)
    values[c] = c == 0 && count > 1 ? 7 : 0.5f + static_cast<float>(c * 37 % 101) / 101;
  return values;
}

template <class T>
TestArray<T> random_elements(Shape shape, std::uint64_t stream) {
  const TestArray<float> normal = random_array(shape, stream);
  TestArray<T> array(shape);
  for (std::int64_t i = 0; i < array.count(); ++i) array[i] = math::from_float<T>(4 * normal[i]);
  return array;
}

template <class T>
void expect_plain_of_each_channel(ActivationKernels& kernels, const ActivationHandle& handle,
                                  std::int64_t rows, std::int64_t channels, std::int64_t values) {
  const Shape shape{rows, channels};
  const TestArray<float> learned = values_of(values);
  const TestArray<T> x = random_elements<T>(shape, 1), dy = random_elements<T>(shape, 2);
  TestArray<T> y(shape), dx(shape);
  TestArray<float> dlearned(shape);
  kernels.learned_forward(handle, learned, x, y);
  kernels.learned_backward(handle, learned, x, dy, dx, dlearned);
  EXPECT_TRUE(y.guards_hold() && dx.guards_hold() && dlearned.guards_hold())
      << handle.spelled() << ' ' << shape << ' ' << kernels.implementation();
  for (std::int64_t c = 0; c < channels; ++c) {
    const ActivationHandle own = handle.trained(double{learned[c % values]});
    std::vector<T> column, upstream;
    for (std::int64_t row = 0; row < rows; ++row) {
      column.push_back(x[row * channels + c]);
      upstream.push_back(dy[row * channels + c]);
    }
    const std::vector<T> f = forward(kernels, own, column), df = backward(kernels, own, column, upstream);
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto i = static_cast<std::size_t>(row);
      const std::int64_t at = row * channels + c;
      ASSERT_EQ(math::to_float(y[at]), math::to_float(f[i])) << own.spelled() << ' ' << shape << " at " << at;
      ASSERT_EQ(math::to_float(dx[at]), math::to_float(df[i]))
          << own.spelled() << ' ' << shape << " at " << at;
      const double exact = double{math::to_float(upstream[i])} *
                           own.type().dparameter(own.values(), double{math::to_float(column[i])});
      ASSERT_NEAR(double{dlearned[at]}, exact, std::max(1e-5 * std::fabs(exact), 1e-6))
          << own.spelled() << ' ' << shape << " at " << at << ", " << kernels.implementation();
    }
  }
}

template <class T>
void expect_plain(ActivationKernels& kernels, const ActivationHandle& handle) {
  for (const std::int64_t channels : {1, 3, 7, 17, 67, 511, 512, 600})
    for (const std::int64_t rows : {1, 7, 67}) {
      expect_plain_of_each_channel<T>(kernels, handle, rows, channels, channels);
      expect_plain_of_each_channel<T>(kernels, handle, rows, channels, 1);
    }
}

TEST(ActivationLearned, ElementsAreThoseOfThePlainKernels) {
  ASSERT_GE(learnable().size(), 2u);
  for (const ActivationHandle& handle : learnable()) {
    for (const auto& kernels : tested_activations()) {
      expect_plain<float>(*kernels, handle);
      expect_plain<BFloat16>(*kernels, handle);
      expect_plain<Float16>(*kernels, handle);
    }
    const auto reference = make_reference_activation();
    expect_plain<float>(*reference, handle);
    expect_plain<BFloat16>(*reference, handle);
  }
}

TEST(ActivationLearned, SameBitsForAnyNumberOfThreads) {
  const auto kernels = best_activation();
  for (const ActivationHandle& handle : learnable())
    for (const std::int64_t channels : {5, 700}) {
      const Shape shape{150'001 / channels, channels};
      const TestArray<float> x = random_elements<float>(shape, 1), dy = random_elements<float>(shape, 2),
                             learned = values_of(channels);
      TestArray<float> y[2] = {TestArray<float>(shape), TestArray<float>(shape)}, dx[2] = {y[0], y[0]},
                       dlearned[2] = {y[0], y[0]};
      for (const int run : {0, 1}) {
        use_threads(run == 0 ? 1 : 3);
        kernels->learned_forward(handle, learned, x, y[run]);
        kernels->learned_backward(handle, learned, x, dy, dx[run], dlearned[run]);
      }
      use_threads(0);
      expect_same_bits(y[0], y[1]);
      expect_same_bits(dx[0], dx[1]);
      expect_same_bits(dlearned[0], dlearned[1]);
    }
}

TEST(ActivationLearned, DparameterIsTheCentralDifference) {
  for (const ActivationHandle& handle : learnable())
    for (const double value : {0.3, 1.0, 2.5})
      for (double x = -30.0123; x < 30; x += 0.137) {
        const auto f = [&](double v) { return handle.type().f(handle.trained(v).values(), x); };
        const double h = 1e-5, difference = (f(value + h) - f(value - h)) / (2 * h);
        EXPECT_NEAR(handle.type().dparameter(handle.trained(value).values(), x), difference,
                    1e-8 * std::max(1.0, std::fabs(difference)))
            << handle.spelled() << " with " << value << " at " << x;
      }
}

// x^2 s (1 - s) overflows where x^2 does, unless the tail is multiplied first.
TEST(ActivationLearned, TailsAreFinite) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  const auto kernels = best_activation();
  for (const ActivationHandle& handle : learnable()) {
    const TestArray<float> x({7}, {-inf, -1e30f, -200, 0, 200, 1e30f, inf}),
        ones({7}, std::vector<float>(7, 1)),
        nan({7}, std::vector<float>(7, std::numeric_limits<float>::quiet_NaN()));
    TestArray<float> one({1}, {1}), dx({7}), dlearned({7});
    kernels->learned_backward(handle, one, x, ones, dx, dlearned);
    for (std::int64_t i = 0; i < x.count(); ++i)
      EXPECT_EQ(dlearned[i], 0) << handle.spelled() << " at " << x[i];
    kernels->learned_backward(handle, one, nan, nan, dx, dlearned);
    for (const float value : dlearned.values()) EXPECT_TRUE(std::isnan(value)) << handle.spelled();
  }
}

// Beyond every exponent: f is x or 0, and no derivative overflows.
TEST(ActivationLearned, SwishOfAHugeBeta) {
  const ActivationHandle swish = ActivationHandle::parse("swish");
  const TestArray<float> x({3}, {10, 0, -10}), ones({3}, {1, 1, 1});
  for (const auto& kernels : tested_activations()) {
    for (const float beta : {1e38f, -1e38f}) {
      const std::vector<float> wanted =
          beta > 0 ? std::vector<float>{10, 0, 0} : std::vector<float>{0, 0, -10};
      for (const std::int64_t values : {1, 3}) {
        TestArray<float> learned({values}, std::vector<float>(static_cast<std::size_t>(values), beta));
        TestArray<float> y({3}), dx({3}), dbeta({3});
        kernels->learned_forward(swish, learned, x, y);
        kernels->learned_backward(swish, learned, x, ones, dx, dbeta);
        EXPECT_EQ(y.values(), wanted);
        EXPECT_EQ(dbeta.values(), (std::vector<float>{0, 0, 0}));
        for (const float slope : dx.values()) EXPECT_TRUE(std::isfinite(slope));
      }
    }
  }
}

TEST(ActivationLearned, OthersAreRefused) {
  const ActivationHandle gelu = ActivationHandle::parse("gelu");
  TestArray<float> x({4}), y({4}), two({2}, {1, 2});
  EXPECT_THROW(best_activation()->learned_forward(gelu, two, x, y), Error);
  EXPECT_THROW(make_reference_activation()->learned_forward(gelu, two, x, y), Error);
}

}  // namespace
}  // namespace actlab::test
