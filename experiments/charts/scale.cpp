// Scales and ticks.
#include "experiments/charts/scale.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "experiments/charts/markup.h"

namespace actlab {
namespace {

// The least of 1, 2, 5, 10 times a power of ten that is not below `step`, as that factor and power.
std::pair<double, int> round_step(double step) {
  int power = static_cast<int>(std::floor(std::log10(step)));
  const double rest = step / std::pow(10.0, power);
  for (const double factor : {1.0, 2.0, 5.0})
    if (rest <= factor * (1 + 1e-9)) return {factor, power};
  return {1.0, power + 1};
}

std::string label_of(double value, double step, int power) {
  const double size = std::fabs(value);
  std::string text;
  if (size >= 1e6 || (size > 0 && step < 1e-5)) {
    char digits[32];
    text = {digits,
            std::to_chars(std::begin(digits), std::end(digits), value, std::chars_format::general, 3).ptr};
  } else {
    text = short_number(value, std::max(0, -power));
  }
  return text.starts_with('-') ? "\u2212" + text.substr(1) : text;
}

}  // namespace

void Extent::add(double value) {
  if (!std::isfinite(value)) return;
  least_ = std::min(least_, value);
  most_ = std::max(most_, value);
}

Ticks nice_ticks(double from, double to, int parts) {
  const auto [factor, power] = round_step((to - from) / parts);
  const double unit = std::pow(10.0, std::abs(power));
  const double step = power < 0 ? factor / unit : factor * unit;
  Ticks ticks;
  const double first = std::ceil(from / step - 1e-9), last = std::floor(to / step + 1e-9);
  for (int i = 0; i <= parts && first + i <= last; ++i) {
    const double value =
        (power < 0 ? (first + i) * factor / unit : (first + i) * factor * unit) + 0.0;  // no -0
    ticks.values.push_back(value);
    ticks.labels.push_back(label_of(value, step, power));
  }
  return ticks;
}

}  // namespace actlab
