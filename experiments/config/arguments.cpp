// `key=value` arguments, short names and ranges of integers.
#include <algorithm>
#include <charconv>
#include <optional>

#include "experiments/config/setting.h"
#include "framework/data/utf8.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::int64_t most_values = 10000;

// The items between commas that stand in no parentheses or brackets.
std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0) {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  return items;
}

std::optional<std::int64_t> integer_from(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

const std::string* text_of(const Setting& setting) {
  if (const auto* unread = std::get_if<Unread>(&setting.value)) return &unread->text;
  const auto* value = std::get_if<OptionValue>(&setting.value);
  return value ? std::get_if<std::string>(value) : nullptr;
}

std::string full_path(std::string_view path) {
  return path == "activation" ? "model.activation" : std::string(path);
}

bool end_sweep(const std::string& path, Settings& settings) {
  return std::erase_if(settings.axes, [&](const Axis& axis) { return axis.path == path; }) > 0;
}

void set_sweep(Axis axis, Settings& settings) {
  for (auto& other : settings.axes) {
    if (other.path != axis.path) continue;
    other = std::move(axis);
    return;
  }
  settings.axes.push_back(std::move(axis));
}

void add_swept_value(const Setting& value, Axis& axis) {
  const std::string* text = text_of(value);
  const auto dots = text ? text->find("..") : std::string::npos;
  if (dots == std::string::npos) {
    axis.values.push_back(value);
    return;
  }
  const auto first = integer_from(std::string_view(*text).substr(0, dots));
  const auto last = integer_from(std::string_view(*text).substr(dots + 2));
  if (!first || !last || *first < 0 || *last < *first || *last - *first >= most_values)
    throw ConfigError(concat(value.where, "sweep.", axis.path, ": wanted a range such as 0..4 of at most ",
                             most_values, " integers >= 0, found ", *text));
  for (std::int64_t i = 0; i <= *last - *first; ++i)
    axis.values.push_back({value.path, OptionValue(*first + i), value.where});
}

void add_arguments(const std::vector<std::string>& arguments, Settings& settings) {
  constexpr std::string_view sweep = "sweep.";
  for (const auto& argument : arguments) {
    // Run folders keep arguments in TOML and JSON, which are UTF-8.
    if (first_invalid_utf8(argument) != argument.size())
      throw ConfigError("an argument of the form key=value is not UTF-8 text");
    const std::string where = "argument '" + argument + "': ";
    const auto equals = argument.find('=');
    if (equals == std::string::npos || equals == 0)
      throw ConfigError(where + "wanted key=value, such as train.epochs=1");
    const std::string key = argument.substr(0, equals);
    const std::string text = argument.substr(equals + 1);
    const bool swept = key.starts_with(sweep);
    const std::string path = full_path(swept ? key.substr(sweep.size()) : key);

    // One value for a key ends its sweep, and so does a sweep of nothing.
    if (!swept || text.empty()) end_sweep(path, settings);
    if (!swept) {
      settings.settings.push_back({path, Unread{text}, where});
    } else if (!text.empty()) {
      Axis axis{path, {}, where};
      for (const auto& item : split_list(text)) add_swept_value({path, Unread{item}, where}, axis);
      set_sweep(std::move(axis), settings);
    }
  }
}

}  // namespace actlab
