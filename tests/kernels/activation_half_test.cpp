// Conversions of the 16-bit types: rounding, subnormals, overflow, NaN.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/math/half.h"

namespace actlab::test {
namespace {

template <class T>
std::uint16_t bits_of(float x) {
  return math::from_float<T>(x).bits;
}

TEST(HalfConversion, KnownValuesOfBFloat16) {
  const float from[] = {0.269140869f, 3.1400001f, 9.99999994e-09f, 1.00390625f, 1.01171875f, 3.4e38f};
  const float to[] = {0.26953125f, 3.140625f, 1.00117177e-08f,
                      1,           1.015625f, std::numeric_limits<float>::infinity()};
  for (std::size_t i = 0; i < std::size(from); ++i)
    EXPECT_EQ(math::to_float(math::from_float<BFloat16>(from[i])), to[i]) << from[i];
  EXPECT_EQ(bits_of<BFloat16>(0x1p-133f), 0x0001);  // a subnormal
}

TEST(HalfConversion, KnownValuesOfFloat16) {
  EXPECT_EQ(bits_of<Float16>(0x1p-15f), 0x0200);
  EXPECT_EQ(bits_of<Float16>(0x1p-24f), 0x0001);
  EXPECT_EQ(bits_of<Float16>(0x1p-25f), 0x0000);  // a tie, to even
  EXPECT_EQ(bits_of<Float16>(0x1.8p-24f), 0x0002);
  EXPECT_EQ(bits_of<Float16>(2.98e-8f), 0x0000);
  EXPECT_EQ(bits_of<Float16>(65504), 0x7bff);
  EXPECT_EQ(bits_of<Float16>(65519), 0x7bff);
  EXPECT_EQ(bits_of<Float16>(65520), 0x7c00);
  EXPECT_EQ(bits_of<Float16>(-65520), 0xfc00);
  EXPECT_EQ(bits_of<Float16>(1), 0x3c00);
}

template <class T>
void expect_round_trip() {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const T half{static_cast<std::uint16_t>(bits)};
    const float value = math::to_float(half);
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(math::to_float(math::from_float<T>(value)))) << bits;
    else
      EXPECT_EQ(math::from_float<T>(value).bits, bits);
  }
}

TEST(HalfConversion, EveryValueSurvivesTheRoundTrip) {
  expect_round_trip<BFloat16>();
  expect_round_trip<Float16>();
}

// Between neighbours a and b: below the middle goes to a, above it to b, the middle to the even one.
template <class T>
void expect_nearest_even(std::uint32_t infinity) {
  for (std::uint32_t bits = 0; bits + 1 < infinity; ++bits) {
    const float a = math::to_float(T{static_cast<std::uint16_t>(bits)});
    const float b = math::to_float(T{static_cast<std::uint16_t>(bits + 1)});
    const float middle = a + (b - a) / 2;
    EXPECT_EQ(bits_of<T>(std::nextafter(middle, a)), bits);
    EXPECT_EQ(bits_of<T>(std::nextafter(middle, b)), bits + 1);
    EXPECT_EQ(bits_of<T>(middle), bits + bits % 2);
    // From double in one rounding: float would have brought this to the middle.
    const double exact_middle = static_cast<double>(middle);
    EXPECT_EQ(math::from_double<T>(exact_middle * (1 + 0x1p-40)).bits, bits + 1);
    EXPECT_EQ(math::from_double<T>(exact_middle * (1 - 0x1p-40)).bits, bits);
    EXPECT_EQ(math::from_double<T>(-exact_middle).bits, 0x8000u + bits + bits % 2);
  }
}

TEST(HalfConversion, RoundsToNearestEven) {
  expect_nearest_even<BFloat16>(0x7f80);
  expect_nearest_even<Float16>(0x7c00);
}

TEST(HalfConversion, NanStaysNan) {
  for (const std::uint32_t bits : {0x7f800001u, 0x7fc00000u, 0x7fffffffu, 0xff800001u, 0xffffffffu}) {
    EXPECT_TRUE(std::isnan(math::to_float(math::from_float<BFloat16>(math::float_of(bits))))) << bits;
    EXPECT_TRUE(std::isnan(math::to_float(math::from_float<Float16>(math::float_of(bits))))) << bits;
  }
  EXPECT_TRUE(std::isnan(math::to_float(math::from_double<Float16>(std::nan("")))));
  EXPECT_EQ(math::to_float(math::from_double<BFloat16>(1e300)), std::numeric_limits<float>::infinity());
}

}  // namespace
}  // namespace actlab::test
