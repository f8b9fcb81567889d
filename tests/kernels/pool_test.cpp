// Max-pooling on both backends: NaN, infinities, ties, gaps and overlaps.
#include <limits>

#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

class Pool : public EveryDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, Pool, testing::ValuesIn(tested_devices()), name_of_param);

struct Pooled {
  TestArray<float> y;
  TestArray<std::uint8_t> argmax;
  TestArray<float> dx;
  bool guards_hold() const { return y.guards_hold() && argmax.guards_hold() && dx.guards_hold(); }
};

Pooled pool(Backend& backend, const PoolSizes& s, const TestArray<float>& x, const TestArray<float>& dy) {
  const Shape out{s.batch, s.out_height(), s.out_width(), s.channels};
  Pooled r{TestArray<float>(out), TestArray<std::uint8_t>(out),
           TestArray<float>({s.batch, s.height, s.width, s.channels})};
  backend.pool.max_forward(s, x, r.y, r.argmax);
  backend.pool.max_backward(s, dy, r.argmax, r.dx);
  return r;
}

TEST_P(Pool, ANanWinsAndAWindowOfMinusInfinityPicksItsFirst) {
  // Two windows beside each other: (nan 1 / 2 3) and four times -inf.
  const PoolSizes s{.batch = 1, .height = 2, .width = 4, .channels = 1, .kernel = 2, .stride = 2};
  const TestArray<float> x({1, 2, 4, 1}, {nan, 1, -inf, -inf, 2, 3, -inf, -inf}), dy({1, 1, 2, 1}, {5, 7});
  const Pooled r = pool(backend(), s, x, dy);
  EXPECT_TRUE(std::isnan(r.y[0]));
  EXPECT_EQ(r.y[1], -inf);
  EXPECT_EQ(r.argmax.values(), (std::vector<std::uint8_t>{0, 0}));
  EXPECT_EQ(r.dx.values(), (std::vector<float>{5, 0, 7, 0, 0, 0, 0, 0}));
}

TEST_P(Pool, TheFirstNanStays) {
  const PoolSizes s{.batch = 1, .height = 2, .width = 2, .channels = 1, .kernel = 2, .stride = 2};
  const TestArray<float> x({1, 2, 2, 1}, {1, nan, inf, nan}), dy({1, 1, 1, 1}, {1});
  EXPECT_EQ(pool(backend(), s, x, dy).argmax[0], 1);
}

TEST_P(Pool, TheFirstOfEqualsTakesTheGradient) {
  const PoolSizes s{.batch = 1, .height = 2, .width = 2, .channels = 1, .kernel = 2, .stride = 2};
  const TestArray<float> x({1, 2, 2, 1}, {1, 2, 2, 2}), dy({1, 1, 1, 1}, {1});
  EXPECT_EQ(pool(backend(), s, x, dy).dx.values(), (std::vector<float>{0, 1, 0, 0}));
}

TEST_P(Pool, OverlappingWindowsAddUp) {
  const PoolSizes s{.batch = 1, .height = 1 + 2, .width = 3, .channels = 1, .kernel = 2, .stride = 1};
  const TestArray<float> x({1, 3, 3, 1}, {0, 0, 0, 0, 9, 0, 0, 0, 0}), dy({1, 2, 2, 1}, {1, 2, 4, 8});
  const Pooled r = pool(backend(), s, x, dy);
  EXPECT_EQ(r.argmax.values(), (std::vector<std::uint8_t>{3, 2, 1, 0}));
  EXPECT_EQ(r.dx[4], 15);
}

TEST(PoolOfCpu, AgreesWithReference) {
  for (const std::int64_t kernel : {1, 2, 3, 5}) {
    for (const std::int64_t stride : {1, 2, 3, 5}) {
      for (const std::int64_t channels : {1, 3, 17, 64, 65, 130}) {
        const PoolSizes s{
            .batch = 3, .height = 11, .width = 8, .channels = channels, .kernel = kernel, .stride = stride};
        SCOPED_TRACE(concat("kernel ", kernel, ", stride ", stride, ", channels ", channels));
        auto x = random_array({s.batch, s.height, s.width, channels}, 1);
        for (std::int64_t i = 0; i < x.count(); ++i) x[i] = std::round(2 * x[i]) / 2;  // ties
        for (std::int64_t i = 0; i < x.count(); i += 37) x[i] = i % 2 == 0 ? nan : -inf;
        const auto dy = random_array({s.batch, s.out_height(), s.out_width(), channels}, 2);
        const Pooled got = pool(tested(), s, x, dy), want = pool(reference(), s, x, dy);
        EXPECT_EQ(got.argmax.values(), want.argmax.values());
        expect_close(got.y, want.y, 0);
        expect_close(got.dx, want.dx, 1e-5);
        EXPECT_TRUE(got.guards_hold());
      }
    }
  }
}

TEST(PoolGradient, OfReferenceMatchesDifferences) {
  const PoolSizes s{.batch = 1, .height = 5, .width = 5, .channels = 2, .kernel = 3, .stride = 2};
  auto x = random_array<double>({1, 5, 5, 2}, 1);
  const auto dy = random_array<double>({1, 2, 2, 2}, 2);
  TestArray<double> y({1, 2, 2, 2}), dx({1, 5, 5, 2});
  TestArray<std::uint8_t> argmax({1, 2, 2, 2});
  const auto value = [&] {
    reference().pool.max_forward(s, x, y, argmax);
    double sum = 0;
    for (std::int64_t i = 0; i < y.count(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  value();
  reference().pool.max_backward(s, dy, argmax, dx);
  constexpr double h = 1e-6;
  for (std::int64_t i = 0; i < x.count(); ++i) {
    const double before = x[i];
    x[i] = before + h;
    const double above = value();
    x[i] = before - h;
    EXPECT_NEAR(dx[i], (above - value()) / (2 * h), 1e-8);
    x[i] = before;
  }
}

}  // namespace
}  // namespace actlab
