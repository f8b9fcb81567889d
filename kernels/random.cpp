// Philox through Random123.
#include "kernels/random.h"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

namespace actlab {

std::array<std::uint32_t, 4> Random::block(std::uint64_t index) const {
  // The counter holds index (40 bits used in practice), step and purpose; the key is the seed.
  const auto low = [](std::uint64_t v) { return static_cast<std::uint32_t>(v); };
  const auto high = [](std::uint64_t v) { return static_cast<std::uint32_t>(v >> 32); };
  const r123::Philox4x32::ctr_type counter = {
      {low(index), high(index) ^ high(step_) << 16, low(step_), static_cast<std::uint32_t>(purpose_)}};
  const r123::Philox4x32::key_type key = {{low(seed_), high(seed_)}};
  const auto out = r123::Philox4x32()(counter, key);
  return {out[0], out[1], out[2], out[3]};
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
