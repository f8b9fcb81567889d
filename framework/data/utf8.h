// UTF-8 (RFC 3629): is a text all valid, and how long are its characters?
#pragma once

#include <cstddef>
#include <string_view>

namespace actlab {

/// Bytes of the character that `text` begins with; 0 where it is empty or begins with no valid one: stray or
/// missing continuation bytes, overlong forms, surrogates and what is above U+10FFFF are invalid.
std::size_t utf8_character(std::string_view text);

/// Where the first byte stands that begins no valid character; text.size() where all is valid.
std::size_t first_invalid_utf8(std::string_view text);

/// Bytes of a character in a valid text, by its first byte.
inline std::size_t utf8_length(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 0x80) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}

}  // namespace actlab
