// Philox through Random123.
#include "kernels/random.h"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/cpu/instruction_sets.h"

namespace actlab {
namespace {

std::uint32_t low(std::uint64_t v) { return static_cast<std::uint32_t>(v); }
std::uint32_t high(std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); }

// The counter holds index (40 bits used in practice), step and purpose; the key is the seed.
r123::Philox4x32::ctr_type counter_of(std::uint64_t index, RandomPurpose purpose, std::uint64_t step) {
  return {{low(index), high(index) ^ high(step) << 16, low(step), static_cast<std::uint32_t>(purpose)}};
}

// Blocks side by side: word w of block l is [w][l].
constexpr std::size_t lanes = 16;
using Lanes = std::array<std::array<std::uint32_t, lanes>, 4>;

// Philox4x32-10 of the counters, in place; written so that the compiler can vectorise it.
ACTLAB_EACH_INSTRUCTION_SET
void ten_rounds(Lanes& c, std::uint32_t key_0, std::uint32_t key_1) {
  for (int round = 0; round < 10; ++round) {
    for (std::size_t l = 0; l < lanes; ++l) {
      const std::uint64_t product_0 = std::uint64_t{PHILOX_M4x32_0} * c[0][l];
      const std::uint64_t product_1 = std::uint64_t{PHILOX_M4x32_1} * c[2][l];
      c[0][l] = high(product_1) ^ c[1][l] ^ key_0;
      c[1][l] = low(product_1);
      c[2][l] = high(product_0) ^ c[3][l] ^ key_1;
      c[3][l] = low(product_0);
    }
    key_0 += PHILOX_W32_0;
    key_1 += PHILOX_W32_1;
  }
}

}  // namespace

std::array<std::uint32_t, 4> Random::block(std::uint64_t index) const {
  const auto counter = counter_of(index, purpose_, step_);
  const r123::Philox4x32::key_type key = {{low(seed_), high(seed_)}};
  const auto out = r123::Philox4x32()(counter, key);
  return {out[0], out[1], out[2], out[3]};
}

void Random::fill(std::uint64_t first, std::span<std::uint32_t> numbers) const {
  const std::size_t blocks = (numbers.size() + 3) / 4;
  for (std::size_t done = 0; done < blocks; done += lanes) {
    Lanes counters;
    for (std::size_t l = 0; l < lanes; ++l) {
      const auto counter = counter_of(first + done + l, purpose_, step_);
      for (std::size_t word = 0; word < 4; ++word) counters[word][l] = counter[word];
    }
    ten_rounds(counters, low(seed_), high(seed_));
    const std::size_t count = std::min(4 * lanes, numbers.size() - 4 * done);
    for (std::size_t i = 0; i < count; ++i) numbers[4 * done + i] = counters[i % 4][i / 4];
  }
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
