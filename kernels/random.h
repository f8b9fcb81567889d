// Counter-based random numbers: Philox4x32-10 (Salmon et al. 2011), keyed by seed, purpose, step and index,
// so that any number can be drawn alone, in any order, by any thread, with the same result.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace actlab {

struct Philox;

/// What a number is drawn for; two purposes never share numbers.
enum class RandomPurpose : std::uint32_t {
  init,
  shuffle,
  augment,
  dropout,
  synthetic,
  corruption,
  validation
};

/// A stream of blocks: block(i) gives four 32-bit numbers for index i. `step` is the epoch, the step or the
/// tensor's number.
class Random {
 public:
  Random(std::uint64_t seed, RandomPurpose purpose, std::uint64_t step = 0)
      : seed_(seed), purpose_(purpose), step_(step) {}

  std::array<std::uint32_t, 4> block(std::uint64_t index) const;
  /// The numbers of the blocks `first`, first + 1, ...: four a block, any count.
  void fill(std::uint64_t first, std::span<std::uint32_t> numbers) const;
  /// In [0, 1), 53 bits.
  double uniform(std::uint64_t index) const;
  /// Standard normal (Box-Muller on one block).
  double normal(std::uint64_t index) const;
  /// In [0, n), without bias to 2^-32 (n up to 2^32).
  std::uint32_t below(std::uint64_t index, std::uint32_t n) const;
  /// The same blocks for kernels (kernels/philox.h).
  Philox philox() const;

 private:
  std::uint64_t seed_;
  RandomPurpose purpose_;
  std::uint64_t step_;
};

}  // namespace actlab
