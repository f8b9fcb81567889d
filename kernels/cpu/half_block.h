// Arrays seen as floats: floats where they lie, the 16-bit types converted in blocks that fit the L1 cache.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/math/half.h"

#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace actlab {
namespace {

inline constexpr std::int64_t half_block = 512;

/// Elements to work on at a time, of n.
template <class T>
ACTLAB_HD std::int64_t block_of(std::int64_t n) {
  return std::is_same_v<T, float> ? n : half_block;
}

/// How many elements of T the instruction set converts at once; the rest of a block goes one by one.
template <class T>
ACTLAB_HD std::int64_t widen_vectors(const T*, float*, std::int64_t) {
  return 0;
}
template <class T>
ACTLAB_HD std::int64_t narrow_vectors(const float*, T*, std::int64_t) {
  return 0;
}
#if defined(__F16C__)
ACTLAB_HD std::int64_t widen_vectors(const Float16* from, float* to, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i))));
  return i;
}
ACTLAB_HD std::int64_t narrow_vectors(const float* from, Float16* to, std::int64_t n) {
  std::int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
  return i;
}
#endif

/// A block of T to read as floats.
template <class T>
class FloatsIn {
 public:
  ACTLAB_HD FloatsIn(const T* from, std::int64_t n) {
    for (std::int64_t i = widen_vectors(from, floats_, n); i < n; ++i) floats_[i] = math::to_float(from[i]);
  }
  ACTLAB_HD const float* data() const { return floats_; }

 private:
  alignas(64) float floats_[half_block];
};
template <>
class FloatsIn<float> {
 public:
  ACTLAB_HD FloatsIn(const float* from, std::int64_t) : from_(from) {}
  ACTLAB_HD const float* data() const { return from_; }

 private:
  const float* from_;
};

/// A block of T to write as floats; `store` rounds it to T.
template <class T>
class FloatsOut {
 public:
  ACTLAB_HD FloatsOut(T* to, std::int64_t n) : to_(to), n_(n) {}
  ACTLAB_HD float* data() { return floats_; }
  ACTLAB_HD void store() const {
    for (std::int64_t i = narrow_vectors(floats_, to_, n_); i < n_; ++i)
      to_[i] = math::from_float<T>(floats_[i]);
  }

 private:
  T* to_;
  std::int64_t n_;
  alignas(64) float floats_[half_block];
};
template <>
class FloatsOut<float> {
 public:
  ACTLAB_HD FloatsOut(float* to, std::int64_t) : to_(to) {}
  ACTLAB_HD float* data() { return to_; }
  ACTLAB_HD void store() const {}

 private:
  float* to_;
};

}  // namespace
}  // namespace actlab
