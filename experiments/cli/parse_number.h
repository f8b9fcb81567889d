// Numbers as users of `probe` write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace actlab {

/// A decimal or C hex float, "inf" or "nan", with a sign or without, whatever the locale; `where` begins the
/// ConfigError.
double parse_number(std::string_view text, std::string_view where);

/// Numbers separated by `separator`; blank entries are skipped.
std::vector<double> parse_numbers(std::string_view text, char separator, std::string_view where);

/// Nine significant digits, which tell any two floats apart; "inf", "-inf", "nan".
std::string nine_digits(double value);

}  // namespace actlab
