// CUDA's arithmetic functions that a host compiler lacks, as accurate as the host: the tolerance of a test
// must cover the device's, which may be an ulp or two off.
#pragma once

#include <cmath>
#include <type_traits>

inline float rsqrtf(float x) { return 1.0f / std::sqrt(x); }
inline double rsqrt(double x) { return 1.0 / std::sqrt(x); }

// CUDA has them for mixed types, in the global namespace.
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr std::common_type_t<A, B> min(A a, B b) {
  return b < a ? b : a;
}
template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr std::common_type_t<A, B> max(A a, B b) {
  return a < b ? b : a;
}

namespace actlab::ptx {

/// Not the float nearest to 1 / b, but that on its other side: as far off as the device's may be.
inline float reciprocal(float b) {
  const float nearest = 1.0f / b;
  return std::nextafter(nearest, std::fma(-b, nearest, 1.0f) * b < 0 ? -HUGE_VALF : HUGE_VALF);
}

}  // namespace actlab::ptx
