// Places of numbered elements. A GPU divides 64-bit numbers in a hundred instructions: where the host knows
// the divisor, a product and a shift do it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "kernels/backend.h"
#include "kernels/math/target.h"

namespace actlab::cuda {

/// The upper half of a product.
ACTLAB_HD std::uint32_t high_product(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
}
__extension__ typedef unsigned __int128 Uint128;
ACTLAB_HD std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(Uint128{a} * b >> 64);
}

/// Divides numbers that are not negative by one that is at least 1 (0 divides nothing). After Granlund and
/// Montgomery: the factor is 2^bits (2^shift / divisor - 1), rounded up, and 2^shift the divisor, rounded up
/// to a power of 2.
template <class Int>
class DivisorOf {
 public:
  struct Quotient {
    Int whole, rest;
  };

  explicit DivisorOf(Int divisor = 1) : divisor_(divisor) {
    if (divisor == 0) return;
    const auto d = static_cast<Unsigned>(divisor);
    shift_ = static_cast<int>(std::bit_width(static_cast<Unsigned>(d - 1)));
    factor_ = static_cast<Unsigned>((((Uint128{1} << shift_) - d) << 8 * sizeof(Int)) / d) + 1;
  }

  ACTLAB_HD Int divisor() const { return divisor_; }
  ACTLAB_HD Int whole(Int n) const {
    const auto number = static_cast<Unsigned>(n);
    return static_cast<Int>((high_product(number, factor_) + number) >> shift_);
  }
  ACTLAB_HD Int rest(Int n) const { return n - whole(n) * divisor_; }
  ACTLAB_HD Quotient divide(Int n) const {
    const Int quotient = whole(n);
    return {quotient, n - quotient * divisor_};
  }

 private:
  using Unsigned = std::make_unsigned_t<Int>;

  Int divisor_;
  Unsigned factor_ = 1;
  int shift_ = 0;
};

using Divisor = DivisorOf<std::int64_t>;

/// Where the elements of an array, by their number, lie in the strided one.
class StridedPlaces {
 public:
  explicit StridedPlaces(const StridedSizes& s) : offset_(s.offset), stride_(s.strides[3]) {
    for (std::size_t k = 0; k < 3; ++k) {
      sizes_[k] = Divisor(s.sizes[k + 1]);
      carries_[k] = s.strides[k] - s.sizes[k + 1] * s.strides[k + 1];
    }
  }

  ACTLAB_HD std::int64_t of(std::int64_t i) const {
    std::int64_t place = offset_ + i * stride_;
    for (std::size_t k = 3; k-- > 0;) {
      i = sizes_[k].whole(i);
      place += i * carries_[k];
    }
    return place;
  }

 private:
  std::int64_t offset_, stride_;
  std::array<Divisor, 3> sizes_;         // of the dimensions but the first
  std::array<std::int64_t, 3> carries_;  // how far a carry into the dimension before moves the place
};

}  // namespace actlab::cuda
