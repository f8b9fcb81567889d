// Values, and their ranges, of trained parameters.
#include "experiments/results/learned.h"

#include <algorithm>
#include <charconv>

#include "kernels/error.h"

namespace actlab {
namespace {

std::string three_digits(double value) {
  char text[32];
  return {text, std::to_chars(std::begin(text), std::end(text), value, std::chars_format::general, 3).ptr};
}

// "beta" of "act1.beta" and of "act1.beta.min".
std::string parameter_of(std::string name) {
  for (const char* statistic : {".mean", ".min", ".max"})
    if (name.ends_with(statistic)) name.resize(name.rfind('.'));
  return name.substr(name.rfind('.') + 1);
}

}  // namespace

LearnedValues learned_values(const std::vector<LearnedParameter>& parameters) {
  LearnedValues all;
  for (const auto& [name, tensor, info] : parameters) {
    const std::vector<float> values = tensor.to_vector<float>();
    if (values.size() == 1) {
      all[name] = static_cast<double>(values[0]);
      continue;
    }
    double sum = 0;
    for (const float value : values) sum += static_cast<double>(value);
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    all[name + ".mean"] = sum / static_cast<double>(values.size());
    all[name + ".min"] = static_cast<double>(*least);
    all[name + ".max"] = static_cast<double>(*most);
  }
  return all;
}

std::string learned_range(const std::vector<LearnedValues>& runs) {
  std::map<std::string, std::pair<double, double>> ranges;
  for (const LearnedValues& values : runs)
    for (const auto& [name, value] : values) {
      const auto range = ranges.try_emplace(parameter_of(name), value, value).first;
      range->second.first = std::min(range->second.first, value);
      range->second.second = std::max(range->second.second, value);
    }
  std::string text;
  for (const auto& [name, range] : ranges)
    text += concat(text.empty() ? "" : ", ", name, ' ', three_digits(range.first), "..",
                   three_digits(range.second));
  return text;
}

}  // namespace actlab
