// The arithmetic of kernels/random.h, the same on hosts and devices: Philox4x32-10 of Random123.
#pragma once

#include <Random123/philox.h>

#include <cstdint>

#include "kernels/math/target.h"

namespace actlab {

/// What a Random is keyed by; its blocks differ in the index alone.
struct Philox {
  r123::Philox4x32::ctr_type counter;  ///< of block 0
  r123::Philox4x32::key_type key;

  /// Random::block.
  ACTLAB_HD r123::Philox4x32::ctr_type block(std::uint64_t index) const {
    r123::Philox4x32::ctr_type at = counter;
    at[0] ^= static_cast<std::uint32_t>(index);
    at[1] ^= static_cast<std::uint32_t>(index >> 32);
    return r123::Philox4x32()(at, key);
  }
};

}  // namespace actlab
