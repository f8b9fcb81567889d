// Quotients by rough reciprocals, as devices compute them: a unit in the last place more or less does not
// matter.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "kernels/math/divide.h"

namespace actlab::test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity(), most = std::numeric_limits<float>::max();

float shifted(float x, int units) { return math::from_bits(math::to_bits(x) + units); }

// The largest error in units in the last place, over the reciprocals.
double error_of(float a, float b) {
  const double exact = double{a} / double{b}, unit = std::ldexp(1, std::ilogb(exact) - 23);
  double error = 0;
  for (const int units : {-1, 0, 1}) {
    const float r = shifted(1 / b, units);
    for (const float q : {math::quotient_by(r, a, b), math::quotient_up_to_infinity_by(r, a, b)})
      error = std::max(error, std::fabs(double{q} - exact) / unit);
  }
  return error;
}

// Mantissas as they come, and near powers of two; exponents for which nothing under- or overflows.
TEST(Quotient, IsWithinHalfAUnitAndALittle) {
  std::mt19937_64 random(1);
  const auto number = [&](int exponents) {
    const std::uint64_t bits = random();
    std::int32_t mantissa = static_cast<std::int32_t>(bits >> 32) & 0x7fffff;
    if (bits % 4 == 0) mantissa &= 7;
    if (bits % 4 == 1) mantissa |= 0x7ffff8;
    const int exponent = static_cast<int>(bits >> 8 & 0xffff) % (2 * exponents + 1) - exponents;
    return std::ldexp(math::from_bits(0x3f800000 | mantissa), exponent);
  };
  double worst = 0;
  for (int i = 0; i < 3'000'000; ++i) {
    const float b = number(60), a = number(20) * b;
    const double error = error_of(a, b);
    ASSERT_LE(error, 0.5 + 0x1p-19) << a << " / " << b;
    worst = std::max(worst, error);
  }
  EXPECT_GT(worst, 0.4999);
}

TEST(Quotient, OfEveryMantissaIsTheReciprocalWithinHalfAUnitAndALittle) {
  for (std::int32_t mantissa = 0; mantissa <= 0x7fffff; mantissa += mantissa < 0x7fff00 ? 5 : 1)
    ASSERT_LE(error_of(1, math::from_bits(0x3f800000 | mantissa)), 0.5 + 0x1p-19) << mantissa;
}

TEST(Quotient, ByAPowerOfTwoIsExactAlsoWhereItIsLargeOrSubnormal) {
  for (const float a : {most, 1.0f, -1.0f, 0x1p-126f, 0x1.fffffep-126f, 0x1p-149f, 0x1.6p-140f, 0.0f})
    for (const int units : {-1, 0, 1}) {
      EXPECT_EQ(math::quotient_up_to_infinity_by(shifted(1, units), a, 1), a) << a;
      const float half = math::quotient_by(shifted(0.5f, units), a, 2);
      EXPECT_LE(std::fabs(double{half} - double{a} / 2), 0x1p-150) << a;
    }
}

TEST(Quotient, OfZeroHasItsSign) {
  for (const float b : {0.5f, 1.0f, 1.1f, 2.0f})
    for (const int units : {-1, 0, 1})
      for (const float zero : {0.0f, -0.0f}) {
        const float r = shifted(1 / b, units);
        EXPECT_EQ(math::to_bits(math::quotient_by(r, zero, b)), math::to_bits(zero)) << b;
        EXPECT_EQ(math::to_bits(math::quotient_up_to_infinity_by(r, zero, b)), math::to_bits(zero)) << b;
      }
}

TEST(Quotient, OfInfinityAndNan) {
  for (const float b : {0.5f, 1.0f, 1.1f, 2.0f})
    for (const int units : {-1, 0, 1}) {
      EXPECT_EQ(math::quotient_up_to_infinity_by(shifted(1 / b, units), inf, b), inf) << b;
      EXPECT_TRUE(std::isnan(math::quotient_up_to_infinity_by(shifted(1 / b, units), NAN, b))) << b;
      EXPECT_TRUE(std::isnan(math::quotient_by(shifted(1 / b, units), NAN, b))) << b;
    }
}

}  // namespace
}  // namespace actlab::test
