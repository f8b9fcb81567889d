// Numbers as users of `probe` write them.
#include "experiments/cli/parse_number.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// A magnitude that is no double is 0 or inf: the power of ten or two of its first digit decides. `text` is
// the number without its sign and prefix.
double beyond_range(std::string_view text, bool hex) {
  const std::size_t mark = std::min(text.find_first_of(hex ? "pP" : "eE"), text.size());
  const std::string_view digits = text.substr(0, mark);
  const auto point = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size()));
  const auto first = static_cast<std::int64_t>(digits.find_first_not_of("0."));
  std::string_view exponent = text.substr(std::min(mark + 1, text.size()));
  const bool negative = exponent.starts_with('-');
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  std::int64_t power = 0;
  if (std::from_chars(exponent.data(), exponent.data() + exponent.size(), power).ec ==
      std::errc::result_out_of_range)
    return negative ? 0.0 : std::numeric_limits<double>::infinity();
  return (point - first) * (hex ? 4 : 1) + power > 0 ? std::numeric_limits<double>::infinity() : 0.0;
}

}  // namespace

double parse_number(std::string_view text, std::string_view where) {
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  auto format = std::chars_format::general;
  if (rest.starts_with("0x") || rest.starts_with("0X")) {
    rest.remove_prefix(2);
    format = std::chars_format::hex;
  }
  double value = 0;
  const char* const end = rest.data() + rest.size();
  const auto [stop, error] = std::from_chars(rest.data(), end, value, format);
  const bool signed_twice = rest.starts_with('-');
  if (error == std::errc::result_out_of_range && stop == end && !signed_twice) {
    value = beyond_range(rest, format == std::chars_format::hex);
  } else if (error != std::errc() || stop != end || signed_twice) {
    throw ConfigError(
        concat(where, ": '", text, "' is no number; wanted a decimal or C hex float, inf or nan"));
  }
  return negative ? -value : value;
}

std::vector<double> parse_numbers(std::string_view text, char separator, std::string_view where) {
  std::vector<double> values;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view entry = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!entry.empty())
      values.push_back(parse_number(entry, concat(where, separator == '\n' ? ":" : " entry ", line)));
  }
  return values;
}

std::string nine_digits(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value, std::chars_format::general, 9);
  return {text, end};
}

}  // namespace actlab
