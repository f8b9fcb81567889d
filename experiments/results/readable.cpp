// Numbers as people read them, whatever the locale.
#include <charconv>
#include <cmath>
#include <initializer_list>

#include "experiments/results/table.h"
#include "framework/core/options.h"
#include "kernels/error.h"

namespace actlab {
namespace {

struct Scale {
  double size;
  const char* name;
};

std::string spell(double value, std::chars_format format, int precision) {
  char text[400];
  const auto end = std::to_chars(std::begin(text), std::end(text), value, format, precision).ptr;
  return {text, end};
}

std::string fixed(double value, int decimals) { return spell(value, std::chars_format::fixed, decimals); }

using Digits = std::optional<int>;

std::string with_sign(double value, int decimals) {
  return (std::signbit(value) ? "" : "+") + fixed(value, decimals);
}

// Without digits asked for three in all, as far as there are so few: "2.08", "20.8", "208", "2080".
std::string three_digits(double value, Digits digits) {
  const double size = std::fabs(value);
  return fixed(value, digits.value_or(size < 9.995 ? 2 : size < 99.95 ? 1 : 0));
}

std::string plain(double value, Digits digits) {
  if (!digits) return spell(value, std::chars_format::general, 5);
  return fixed(value, std::trunc(value) == value ? 0 : *digits);
}

std::string probability(double value, int decimals) {
  const double least = std::pow(10.0, -decimals);
  return value < least ? "< " + fixed(least, decimals) : fixed(value, decimals);
}

// Of "3/5" those that did not get there.
std::string reached(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == text.npos) return text;
  const auto count = number_in(text.substr(0, slash)), all = number_in(text.substr(slash + 1));
  return count && all && *count < *all ? concat("not reached ", *all - *count, "/", *all) : text;
}

// By the largest scale that leaves at least 1 before the point (after rounding), else by the last, smallest.
std::string scaled(double value, Digits digits, std::initializer_list<Scale> scales) {
  const Scale* chosen = scales.end() - 1;
  for (const auto& scale : scales) {
    if (std::fabs(value) < 0.9995 * scale.size) continue;
    chosen = &scale;
    break;
  }
  return three_digits(value / chosen->size, digits) + " " + chosen->name;
}

std::string readable_number(double value, Unit unit, Digits digits) {
  if (!std::isfinite(value)) return "-";
  switch (unit) {
    case Unit::percent:
      return fixed(100 * value, digits.value_or(2)) + " %";
    case Unit::points:
      return with_sign(100 * value, digits.value_or(2)) + " pp";
    case Unit::probability:
      return probability(value, digits.value_or(3));
    case Unit::bytes:
      if (std::fabs(value) < 999.5) return fixed(value, 0) + " B";
      return scaled(value, digits, {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}});
    case Unit::seconds:
      return scaled(value, digits, {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}});
    case Unit::per_second:
      return three_digits(value, digits) + " /s";
    case Unit::nats:
      return fixed(value, digits.value_or(4)) + " nats";
    case Unit::nats_difference:
      return with_sign(value, digits.value_or(4)) + " nats";
    case Unit::standard_deviations:
      return with_sign(value, digits.value_or(2));
    case Unit::plain:
    case Unit::reached:
    case Unit::verdict:
      return plain(value, digits);
  }
  return "-";
}

}  // namespace

std::string readable(const Cell& cell, Unit unit, std::optional<int> digits) {
  if (const auto* text = std::get_if<std::string>(&cell))
    return text->empty() ? "-" : unit == Unit::reached ? reached(*text) : *text;
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "yes" : "no";
  if (const auto* number = std::get_if<double>(&cell)) return readable_number(*number, unit, digits);
  if (const auto* integer = std::get_if<std::int64_t>(&cell))
    return unit == Unit::plain ? to_string(OptionValue(*integer))
                               : readable_number(static_cast<double>(*integer), unit, digits);
  return "-";
}

}  // namespace actlab
