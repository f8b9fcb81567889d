// Validation of UTF-8, fast where a text is mostly ASCII.
#include "framework/data/utf8.h"

#include <cstdint>
#include <cstring>

namespace actlab {

std::size_t utf8_character(std::string_view text) {
  if (text.empty()) return 0;
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return 1;
  const std::size_t length = utf8_length(text[0]);
  if (first < 0xc0 || first >= 0xf8 || text.size() < length) return 0;
  std::uint32_t code = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >> 6 != 2) return 0;
    code = code << 6 | (byte & 0x3fU);
  }
  constexpr std::uint32_t least[] = {0x80, 0x800, 0x10000};  // of two, three and four bytes
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < least[length - 2] || surrogate || code > 0x10ffff ? 0 : length;
}

std::size_t first_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::uint64_t eight = 0;
    if (text.size() - at >= sizeof eight) {
      std::memcpy(&eight, text.data() + at, sizeof eight);
      if ((eight & 0x8080808080808080U) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    const std::size_t length = utf8_character(text.substr(at));
    if (length == 0) break;
    at += length;
  }
  return at;
}

}  // namespace actlab
