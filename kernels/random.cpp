// What is drawn from Philox's blocks.
#include "kernels/random.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/cpu/instruction_sets.h"
#include "kernels/philox.h"

namespace actlab {
namespace {

std::uint32_t low(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
std::uint32_t high(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }

// The numbers of whole blocks from `first` on: Philox4x32-10 once more, so that the compiler vectorises over
// the blocks.
ACTLAB_EACH_INSTRUCTION_SET
void fill_blocks(std::uint64_t first, std::size_t blocks, const std::uint32_t* counter,
                 std::uint32_t seed_low, std::uint32_t seed_high, std::uint32_t* __restrict numbers) {
  const std::uint32_t high_word = counter[1], step = counter[2], purpose = counter[3];
  for (std::size_t i = 0; i < blocks; ++i) {
    std::uint32_t a = low(first + i), b = high(first + i) ^ high_word, c = step, d = purpose;
    std::uint32_t key_0 = seed_low, key_1 = seed_high;
#pragma GCC unroll 10
    for (int round = 0; round < 10; ++round) {
      const std::uint64_t product_0 = std::uint64_t{PHILOX_M4x32_0} * a;
      const std::uint64_t product_1 = std::uint64_t{PHILOX_M4x32_1} * c;
      a = high(product_1) ^ b ^ key_0;
      b = low(product_1);
      c = high(product_0) ^ d ^ key_1;
      d = low(product_0);
      key_0 += PHILOX_W32_0;
      key_1 += PHILOX_W32_1;
    }
    numbers[4 * i] = a;
    numbers[4 * i + 1] = b;
    numbers[4 * i + 2] = c;
    numbers[4 * i + 3] = d;
  }
}

}  // namespace

// The counter holds index (40 bits used in practice), step and purpose; the key is the seed.
Philox Random::philox() const {
  return {.counter = {{0, high(step_) << 16, low(step_), static_cast<std::uint32_t>(purpose_)}},
          .key = {{low(seed_), high(seed_)}}};
}

std::array<std::uint32_t, 4> Random::block(std::uint64_t index) const {
  const auto out = philox().block(index);
  return {out[0], out[1], out[2], out[3]};
}

void Random::fill(std::uint64_t first, std::span<std::uint32_t> numbers) const {
  const std::size_t whole = numbers.size() / 4;
  fill_blocks(first, whole, philox().counter.data(), low(seed_), high(seed_), numbers.data());
  const auto last = block(first + whole);
  std::copy_n(last.begin(), numbers.size() % 4, numbers.begin() + static_cast<std::ptrdiff_t>(4 * whole));
}

double Random::uniform(std::uint64_t index) const {
  const auto b = block(index);
  return static_cast<double>((std::uint64_t{b[0]} << 21) ^ (b[1] >> 11)) * 0x1p-53;
}

double Random::normal(std::uint64_t index) const {
  const auto b = block(index);
  const double u = (static_cast<double>(b[0]) + 1.0) * 0x1p-32;  // (0, 1]
  const double v = static_cast<double>(b[1]) * 0x1p-32;
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * std::numbers::pi * v);
}

std::uint32_t Random::below(std::uint64_t index, std::uint32_t n) const {
  return static_cast<std::uint32_t>((std::uint64_t{block(index)[0]} * n) >> 32);
}

}  // namespace actlab
