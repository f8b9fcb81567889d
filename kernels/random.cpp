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

// Blocks that are computed side by side.
constexpr std::size_t lanes = 16;

// The numbers of `lanes` blocks from a counter on, by Philox4x32-10 written so that the compiler vectorises
// it.
ACTLAB_EACH_INSTRUCTION_SET
void fill_blocks(std::uint64_t first, const std::uint32_t* counter, std::uint32_t key_0, std::uint32_t key_1,
                 std::uint32_t* __restrict numbers) {
  std::uint32_t a[lanes], b[lanes], c[lanes], d[lanes];
  for (std::size_t l = 0; l < lanes; ++l) {
    a[l] = low(first + l);
    b[l] = high(first + l) ^ counter[1];
    c[l] = counter[2];
    d[l] = counter[3];
  }
  for (int round = 0; round < 10; ++round) {
    for (std::size_t l = 0; l < lanes; ++l) {
      const std::uint64_t product_0 = std::uint64_t{PHILOX_M4x32_0} * a[l];
      const std::uint64_t product_1 = std::uint64_t{PHILOX_M4x32_1} * c[l];
      a[l] = high(product_1) ^ b[l] ^ key_0;
      b[l] = low(product_1);
      c[l] = high(product_0) ^ d[l] ^ key_1;
      d[l] = low(product_0);
    }
    key_0 += PHILOX_W32_0;
    key_1 += PHILOX_W32_1;
  }
  for (std::size_t l = 0; l < lanes; ++l) {
    numbers[4 * l] = a[l];
    numbers[4 * l + 1] = b[l];
    numbers[4 * l + 2] = c[l];
    numbers[4 * l + 3] = d[l];
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
  constexpr std::size_t group = 4 * lanes;
  const auto counter = counter_of(0, purpose_, step_);
  while (!numbers.empty()) {
    std::array<std::uint32_t, group> last;
    const std::size_t count = std::min(group, numbers.size());
    std::uint32_t* to = count == group ? numbers.data() : last.data();
    fill_blocks(first, counter.data(), low(seed_), high(seed_), to);
    if (count < group) std::copy_n(to, count, numbers.data());
    numbers = numbers.subspan(count);
    first += lanes;
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
