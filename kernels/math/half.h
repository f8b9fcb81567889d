// Conversions between the 16-bit types and float: to nearest even, subnormals kept, NaN stays NaN. In
// integers, since a CPU's bf16 instruction flushes subnormals and g++ 12 does not vectorise _Float16; a GPU's
// instructions do what is asked.
#pragma once

#include "kernels/array.h"
#include "kernels/math/basic.h"
#include "kernels/math/ptx.h"

namespace actlab::math {

ACTLAB_HD std::uint32_t float_bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }
ACTLAB_HD float float_of(std::uint32_t bits) { return __builtin_bit_cast(float, bits); }

ACTLAB_HD float to_float(float x) { return x; }
#if defined(__CUDA_ARCH__)
ACTLAB_HD float to_float(BFloat16 x) { return ptx::from_bf16(x.bits); }
ACTLAB_HD float to_float(Float16 x) { return ptx::from_f16(x.bits); }
#else
ACTLAB_HD float to_float(BFloat16 x) { return float_of(static_cast<std::uint32_t>(x.bits) << 16); }
ACTLAB_HD float to_float(Float16 x) {
  constexpr std::uint32_t rebias = 112u << 23, least_normal = 113u << 23, infinity = 31u << 23,
                          quiet = 1u << 22;
  const std::uint32_t size = (x.bits & 0x7fffu) << 13, sign = (x.bits & 0x8000u) << 16;
  const std::uint32_t subnormal = float_bits(float_of(size + least_normal) - float_of(least_normal));
  const std::uint32_t normal = size + rebias, special = (size + 2 * rebias) | (size > infinity ? quiet : 0);
  const std::uint32_t finite = size < (1u << 23) ? subnormal : normal;
  return float_of(sign | (size < infinity ? finite : special));
}
#endif

/// x rounded to T.
template <class T>
ACTLAB_HD T from_float(float x);
template <>
ACTLAB_HD float from_float<float>(float x) {
  return x;
}
template <>
ACTLAB_HD BFloat16 from_float<BFloat16>(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return {ptx::to_bf16(x)};
#else
  const std::uint32_t bits = float_bits(x), rounded = bits + 0x7fffu + ((bits >> 16) & 1u);
  return {static_cast<std::uint16_t>((x == x ? rounded : bits | (1u << 22)) >> 16)};
#endif
}
template <>
ACTLAB_HD Float16 from_float<Float16>(float x) {
#if defined(__CUDA_ARCH__)
  return {ptx::to_f16(x)};
#else
  constexpr std::uint32_t rebias = 112u << 23, least_normal = 113u << 23, overflow = 0x477ff000u;  // 65520
  const std::uint32_t bits = float_bits(x), size = bits & 0x7fffffffu, sign = (bits >> 16) & 0x8000u;
  // The unit of 0.5 is that of the subnormals: the addition rounds.
  const std::uint32_t subnormal = float_bits(float_of(size) + 0.5f) - float_bits(0.5f);
  const std::uint32_t normal = (size - rebias + 0xfffu + ((size >> 13) & 1u)) >> 13;
  const std::uint32_t nan = 0x7e00u | ((size >> 13) & 0x3ffu);
  const std::uint32_t special = size > 0x7f800000u ? nan : 0x7c00u;
  const std::uint32_t finite = size < least_normal ? subnormal : normal;
  return {static_cast<std::uint16_t>(sign | (size < overflow ? finite : special))};
#endif
}

/// x rounded once to T. Between double and the 16-bit types lies a float that is rounded to odd, so that the
/// second rounding sees on which side of it x was.
template <class T>
ACTLAB_HD T from_double(double x) {
  const float nearest = static_cast<float>(x);
  const double rounded = static_cast<double>(nearest);
  const std::uint32_t bits = float_bits(nearest);
  const bool keep = rounded == x || x != x || (bits & 1u) != 0;
  const std::uint32_t towards = ::fabs(rounded) < ::fabs(x) ? bits + 1 : bits - 1;
  return from_float<T>(keep ? nearest : float_of(towards));
}
template <>
ACTLAB_HD float from_double<float>(double x) {
  return static_cast<float>(x);
}
template <>
ACTLAB_HD double from_double<double>(double x) {
  return x;
}

}  // namespace actlab::math
