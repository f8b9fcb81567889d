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

// Three digits, as far as there are so few: "2.08", "20.8", "208", "2080".
std::string three_digits(double value) {
  const double size = std::fabs(value);
  return fixed(value, size < 9.995 ? 2 : size < 99.95 ? 1 : 0);
}

// By the largest scale that leaves at least 1 before the point (after rounding), else by the last, smallest.
std::string scaled(double value, std::initializer_list<Scale> scales) {
  const Scale* chosen = scales.end() - 1;
  for (const auto& scale : scales) {
    if (std::fabs(value) < 0.9995 * scale.size) continue;
    chosen = &scale;
    break;
  }
  return three_digits(value / chosen->size) + " " + chosen->name;
}

std::string readable_number(double value, Unit unit) {
  if (!std::isfinite(value)) return "-";
  switch (unit) {
    case Unit::plain:
      return spell(value, std::chars_format::general, 5);
    case Unit::percent:
      return fixed(100 * value, 2) + " %";
    case Unit::points:
      return concat(value < 0 ? "" : "+", fixed(100 * value, 2), " pp");
    case Unit::probability:
      return value < 0.001 ? "< 0.001" : fixed(value, 3);
    case Unit::bytes:
      if (std::fabs(value) < 999.5) return fixed(value, 0) + " B";
      return scaled(value, {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}});
    case Unit::seconds:
      return scaled(value, {{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}});
    case Unit::per_second:
      return three_digits(value) + " /s";
    case Unit::nats:
      return fixed(value, 4) + " nats";
    case Unit::nats_difference:
      return concat(value < 0 ? "" : "+", fixed(value, 4), " nats");
  }
  return "-";
}

}  // namespace

std::string readable(const Cell& cell, Unit unit) {
  if (const auto* text = std::get_if<std::string>(&cell)) return text->empty() ? "-" : *text;
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "yes" : "no";
  if (const auto* number = std::get_if<double>(&cell)) return readable_number(*number, unit);
  if (const auto* integer = std::get_if<std::int64_t>(&cell))
    return unit == Unit::plain ? to_string(OptionValue(*integer))
                               : readable_number(static_cast<double>(*integer), unit);
  return "-";
}

}  // namespace actlab
