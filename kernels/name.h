// What the names of activations, models and the like may be: words that experiment files, command lines and
// folders take without quotes.
#pragma once

#include <algorithm>
#include <string_view>

namespace actlab {

/// Lower-case letters, digits and _, a letter first.
constexpr bool is_snake_case(std::string_view name) {
  const auto letter = [](char c) { return 'a' <= c && c <= 'z'; };
  return !name.empty() && letter(name.front()) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || ('0' <= c && c <= '9') || c == '_';
  });
}

}  // namespace actlab
