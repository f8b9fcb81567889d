// exp in double inside functions that are compiled for each instruction set, where a loop of it vectorises.
#pragma once

#include <bit>
#include <cstdint>

namespace actlab {

/// exp(x) for x <= 0, to 2 units in the last place; below -708, where it is all but the least normal number,
/// exp(-708). NaN stays. The reduction is Cody and Waite's, the polynomial Taylor's of degree 13, whose rest
/// is below 2^-57 on |r| <= ln 2 / 2.
[[gnu::always_inline]] inline double exp_of_negative(double x) {
  constexpr double log2_e = 0x1.71547652b82fep+0, ln2_high = 0x1.62e42fefa38p-1,
                   ln2_low = 0x1.ef35793c7673p-45;
  // Adding it rounds to an integer, which then stands in the low bits of the mantissa.
  constexpr double round = 0x1.8p52;
  const double capped = x < -708 ? -708 : x;
  const double z = capped * log2_e + round, n = z - round;
  const double r = (capped - n * ln2_high) - n * ln2_low;
  constexpr double inverse_factorials[] = {
      1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
      1.0 / 720,        1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5,          1.0,         1.0};
  double p = 0;
  for (const double c : inverse_factorials) p = p * r + c;
  const auto exponent = std::bit_cast<std::uint64_t>(z) << 52;
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(p) + exponent);
}

}  // namespace actlab
