// Divisions by a product and a shift, as the device does them, against those of the language.
#include "kernels/cuda/places.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace actlab::cuda {
namespace {

template <class Int>
void expect_quotients() {
  constexpr Int most = std::numeric_limits<Int>::max();
  std::vector<Int> numbers = {0, most, most - 1, most / 2, most / 3 * 2};
  for (Int power = 1; power > 0 && power <= most / 2; power *= 2)
    for (const Int near : {-1, 0, 1}) numbers.push_back(power + near);
  for (const Int divisor : numbers) {
    if (divisor == 0) continue;
    const DivisorOf<Int> by(divisor);
    for (const Int n : numbers) {
      const auto [whole, rest] = by.divide(n);
      ASSERT_EQ(whole, n / divisor) << n << " / " << divisor;
      ASSERT_EQ(rest, n % divisor) << n << " % " << divisor;
      ASSERT_EQ(by.rest(n), rest);
    }
  }
}

TEST(Divisor, GivesTheQuotientsOfAnyNumbers) {
  expect_quotients<int>();
  expect_quotients<std::int64_t>();
}

}  // namespace
}  // namespace actlab::cuda
