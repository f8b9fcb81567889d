// Average-pooling on both backends: gaps, overlaps, windows of the whole image.
#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

class AveragePool : public EveryDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, AveragePool, testing::ValuesIn(tested_devices()), name_of_param);

struct Averaged {
  TestArray<float> y, dx;
};

Averaged pool(Backend& backend, const PoolSizes& s, const TestArray<float>& x, const TestArray<float>& dy) {
  Averaged r{TestArray<float>({s.batch, s.out_height(), s.out_width(), s.channels}),
             TestArray<float>({s.batch, s.height, s.width, s.channels})};
  backend.pool.average_forward(s, x, r.y);
  backend.pool.average_backward(s, dy, r.dx);
  return r;
}

TEST_P(AveragePool, TakesTheMeanAndSpreadsTheGradient) {
  const PoolSizes s{.batch = 1, .height = 2, .width = 5, .channels = 1, .kernel = 2, .stride = 2};
  const TestArray<float> x({1, 2, 5, 1}, {1, 2, 10, 20, 99, 3, 4, 30, 40, 99}), dy({1, 1, 2, 1}, {4, 8});
  const Averaged r = pool(backend(), s, x, dy);
  EXPECT_EQ(r.y.values(), (std::vector<float>{2.5, 25}));
  EXPECT_EQ(r.dx.values(), (std::vector<float>{1, 1, 2, 2, 0, 1, 1, 2, 2, 0}));
}

TEST_P(AveragePool, OverlappingWindowsAddUp) {
  const PoolSizes s{.batch = 1, .height = 3, .width = 3, .channels = 1, .kernel = 2, .stride = 1};
  const TestArray<float> x({1, 3, 3, 1}, {1, 2, 3, 4, 5, 6, 7, 8, 9}), dy({1, 2, 2, 1}, {4, 8, 16, 32});
  const Averaged r = pool(backend(), s, x, dy);
  EXPECT_EQ(r.y.values(), (std::vector<float>{3, 4, 6, 7}));
  EXPECT_EQ(r.dx.values(), (std::vector<float>{1, 3, 2, 5, 15, 10, 4, 12, 8}));
}

TEST(AveragePoolOfCpu, AgreesWithReference) {
  for (const std::int64_t kernel : {1, 2, 3, 5, 8}) {
    for (const std::int64_t stride : {1, 2, 3, 7}) {
      for (const std::int64_t channels : {1, 3, 17, 64, 67, 130}) {
        const PoolSizes s{
            .batch = 3, .height = 11, .width = 8, .channels = channels, .kernel = kernel, .stride = stride};
        SCOPED_TRACE(concat("kernel ", kernel, ", stride ", stride, ", channels ", channels));
        const auto x = random_array({s.batch, s.height, s.width, channels}, 1);
        const auto dy = random_array({s.batch, s.out_height(), s.out_width(), channels}, 2);
        const Averaged got = pool(tested(), s, x, dy), want = pool(reference(), s, x, dy);
        expect_close(got.y, want.y, 3e-7);
        expect_close(got.dx, want.dx, 3e-6);
        EXPECT_TRUE(got.y.guards_hold() && got.dx.guards_hold());
      }
    }
  }
}

}  // namespace
}  // namespace actlab
