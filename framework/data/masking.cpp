// Choosing and replacing, in one pass.
#include "framework/data/masking.h"

#include <algorithm>
#include <vector>

#include "kernels/error.h"

namespace actlab {
namespace {

// In [0, n), from 32 random bits.
std::int64_t below(std::uint32_t bits, std::int64_t n) {
  return static_cast<std::int64_t>((std::uint64_t{bits} * static_cast<std::uint64_t>(n)) >> 32);
}

}  // namespace

std::int64_t masked_count(std::int64_t length) { return std::max<std::int64_t>(1, (15 * length + 50) / 100); }

void mask_tokens(const Random& random, std::uint64_t first, const Vocabulary& vocabulary,
                 std::span<std::int32_t> tokens, std::span<std::int32_t> places) {
  const std::int64_t length = std::ssize(tokens);
  ACTLAB_CHECK(length > 0 && std::ssize(places) == masked_count(length), "mask_tokens: room for ",
               places.size(), " places of ", length, " tokens");
  std::vector<std::uint32_t> numbers(4 * tokens.size());
  random.fill(first, numbers);
  // Selection sampling (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S): a token is chosen with
  // probability wanted / left.
  std::size_t chosen = 0;
  for (std::int64_t i = 0; chosen < places.size(); ++i) {
    const std::uint32_t* bits = numbers.data() + 4 * i;
    if (below(bits[0], length - i) >= std::ssize(places) - static_cast<std::int64_t>(chosen)) continue;
    places[chosen++] = static_cast<std::int32_t>(i);
    std::int32_t& token = tokens[static_cast<std::size_t>(i)];
    const std::int64_t tenth = below(bits[1], 10);
    if (tenth < 8) token = vocabulary.mask();
    if (tenth == 8) token = static_cast<std::int32_t>(below(bits[2], vocabulary.symbols()));
  }
}

}  // namespace actlab
