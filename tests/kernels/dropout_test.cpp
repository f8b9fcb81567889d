// Dropout: masks by key and place alone, values of both backends to the bit, the ends of the range of p.
#include <omp.h>

#include <limits>

#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

const Random key(7, RandomPurpose::dropout, 3);

TestArray<float> dropped(Backend& backend, const TestArray<float>& x, double p, const Random& random = key) {
  TestArray<float> y(ConstArray(x).shape);
  backend.elementwise.dropout(x, p, random, y);
  EXPECT_TRUE(y.guards_hold());
  return y;
}

TEST(Random, FillGivesTheBlocks) {
  for (const std::uint64_t first : {0ull, 5ull, 0xfffffffaull, 0x1234567890ull}) {
    for (const std::int64_t n : odd_counts()) {
      std::vector<std::uint32_t> numbers(static_cast<std::size_t>(n) + 1, 99);
      const Random random(0x123456789abcull, RandomPurpose::dropout, 5ull << 32 | 77);
      random.fill(first, std::span(numbers).first(static_cast<std::size_t>(n)));
      for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
        ASSERT_EQ(numbers[i], random.block(first + i / 4)[i % 4]) << first << " + " << i;
      ASSERT_EQ(numbers.back(), 99u);
    }
  }
}

TEST(DropoutOfCpu, HasTheBitsOfReference) {
  auto counts = odd_counts();
  counts.insert(counts.end(), {0, 4096, 50'001});
  for (const std::int64_t n : counts) {
    const auto x = random_array({n}, 1);
    for (const double p : {0.0, 1e-12, 0.1, 0.3, 0.5, 0.9, 1 - 1e-12, 1.0})
      expect_same_bits(dropped(tested(), x, p), dropped(reference(), x, p));
  }
}

TEST(DropoutOfCpu, HasTheSameMaskForAnyNumberOfThreads) {
  const int before = omp_get_max_threads();
  const auto x = random_array({200'003}, 1);
  omp_set_num_threads(1);
  const auto want = dropped(tested(), x, 0.5);
  for (const int threads : {2, 3, 4}) {
    omp_set_num_threads(threads);
    expect_same_bits(dropped(tested(), x, 0.5), want);
  }
  omp_set_num_threads(before);
}

class Dropouts : public EveryDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, Dropouts, testing::ValuesIn(tested_devices()), name_of_param);

TEST_P(Dropouts, AllOrNothing) {
  const TestArray<float> x({4}, {1, -2, inf, nan});
  EXPECT_EQ(dropped(backend(), x, 1).values(), (std::vector<float>{0, 0, 0, 0}));
  expect_close(dropped(backend(), x, 0), x, 0);  // arithmetic need not keep a NaN's bits
}

TEST_P(Dropouts, DropAShareAndKeepTheMean) {
  constexpr std::int64_t n = 100'000;
  const TestArray<float> ones({n}, std::vector<float>(n, 1));
  for (const double p : {0.1, 0.5, 0.9}) {
    const auto y = dropped(backend(), ones, p);
    const auto zeros = std::count(y.data(), y.data() + n, 0.0f);
    // Five standard deviations of a binomial count.
    EXPECT_NEAR(static_cast<double>(zeros), p * n, 5 * std::sqrt(n * p * (1 - p)));
    for (std::int64_t i = 0; i < n; ++i)
      ASSERT_TRUE(y[i] == 0 || y[i] == static_cast<float>(1 / (1 - p))) << y[i];
  }
}

TEST_P(Dropouts, EveryPartOfTheKeyCounts) {
  const TestArray<float> ones({256}, std::vector<float>(256, 1));
  const auto mask = [&](std::uint64_t seed, std::uint64_t step) {
    return dropped(backend(), ones, 0.5, Random(seed, RandomPurpose::dropout, step)).values();
  };
  EXPECT_EQ(mask(1, 2), mask(1, 2));
  EXPECT_NE(mask(1, 2), mask(2, 2));
  EXPECT_NE(mask(1, 2), mask(1, 3));
  EXPECT_NE(mask(1, 2), mask(1, 1ull << 32 | 2));
}

}  // namespace
}  // namespace actlab
