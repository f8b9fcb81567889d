// Reading, checking and spelling the values of options.
#include "framework/core/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kernels/error.h"

namespace actlab {
namespace {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

using Integers = std::vector<std::int64_t>;

template <class T>
std::string spell(T number) {
  char text[32];
  const auto end = std::to_chars(std::begin(text), std::end(text), number).ptr;
  return {text, end};
}

std::string spell(const Integers& list) {
  std::string text = "[";
  for (std::size_t i = 0; i < list.size(); ++i) text += (i == 0 ? "" : ", ") + spell(list[i]);
  return text + "]";
}

std::string quoted(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7f) {
      result += {'\\', 'u', '0', '0', hex[byte >> 4], hex[byte & 15]};
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

template <class T>
std::optional<T> number_from(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Whether a text is a choice, or one with a number for its N.
bool is_choice(std::string_view text, std::string_view choice) {
  if (!choice.ends_with(":N")) return text == choice;
  choice.remove_suffix(1);
  return text.starts_with(choice) && number_from<std::uint16_t>(text.substr(choice.size()));
}

std::optional<Integers> integers_from(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = trimmed(text.substr(1, text.size() - 2));
  Integers list;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const auto value = number_from<std::int64_t>(trimmed(text.substr(0, comma)));
    if (!value) return std::nullopt;
    list.push_back(*value);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return list;
}

}  // namespace

std::string to_string(const OptionValue& value) {
  return std::visit(Overloaded{[](bool flag) { return std::string(flag ? "true" : "false"); },
                               [](const std::string& text) { return text; },
                               [](const auto& number) { return spell(number); }},
                    value);
}

std::string to_literal(const OptionValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text ? quoted(*text) : to_string(value);
}

std::string Option::wanted() const {
  const bool bounded_below = least > -1e308;
  const bool bounded_above = most < 1e308;
  std::string range;
  if (bounded_below && bounded_above)
    range = concat(" in [", spell(least), ", ", spell(most), below_most ? ")" : "]");
  if (bounded_below && !bounded_above) range = concat(" >= ", spell(least));
  if (!bounded_below && bounded_above) range = concat(below_most ? " < " : " <= ", spell(most));
  return std::visit(
      Overloaded{[](bool) { return std::string("true or false"); },
                 [&](std::int64_t) { return "integer" + range; }, [&](double) { return "number" + range; },
                 [&](const Integers&) { return "list of integers" + range; },
                 [&](const std::string&) {
                   std::string text = choices.empty() ? "text" : "one of ";
                   for (std::size_t i = 0; i < choices.size(); ++i) text += (i == 0 ? "" : ", ") + choices[i];
                   return text;
                 }},
      fallback);
}

std::optional<OptionValue> Option::accept(const OptionValue& value) const {
  OptionValue result = value;
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer && std::holds_alternative<double>(fallback)) result = static_cast<double>(*integer);
  if (result.index() != fallback.index()) return std::nullopt;

  // False for NaN; infinities are beyond the widest range.
  const auto inside = [&](double number) {
    return number >= least && (below_most ? number < most : number <= most);
  };
  const bool good = std::visit(
      Overloaded{[](bool) { return true; }, [&](double number) { return inside(number); },
                 [&](std::int64_t number) { return inside(static_cast<double>(number)); },
                 [&](const Integers& list) {
                   return std::all_of(list.begin(), list.end(), [&](std::int64_t number) {
                     return inside(static_cast<double>(number));
                   });
                 },
                 [&](const std::string& text) {
                   return choices.empty() ||
                          std::any_of(choices.begin(), choices.end(),
                                      [&](const std::string& choice) { return is_choice(text, choice); });
                 }},
      result);
  return good ? std::optional(std::move(result)) : std::nullopt;
}

std::optional<OptionValue> Option::read(std::string_view text) const {
  const auto read_as =
      Overloaded{[&](bool) -> std::optional<OptionValue> {
                   if (text == "true") return true;
                   if (text == "false") return false;
                   return std::nullopt;
                 },
                 [&](std::int64_t) -> std::optional<OptionValue> { return number_from<std::int64_t>(text); },
                 [&](double) -> std::optional<OptionValue> { return number_from<double>(text); },
                 [&](const std::string&) -> std::optional<OptionValue> { return std::string(text); },
                 [&](const Integers&) -> std::optional<OptionValue> { return integers_from(text); }};
  const auto value = std::visit(read_as, fallback);
  return value ? accept(*value) : std::nullopt;
}

std::vector<std::string> names_of(const std::vector<Option>& declared) {
  std::vector<std::string> names;
  for (const auto& option : declared) names.push_back(option.name);
  return names;
}

Options::Options(std::vector<Option> declared) : declared_(std::move(declared)) {
  for (const auto& option : declared_) values_.push_back(option.fallback);
}

std::size_t Options::index_of(std::string_view name) const {
  for (std::size_t i = 0; i < declared_.size(); ++i)
    if (declared_[i].name == name) return i;
  throw ConfigError(concat("unknown option '", name, "'", nearest_names(name, names_of(declared_))));
}

void Options::set(std::string_view name, const OptionValue& value) {
  const auto index = index_of(name);
  auto accepted = declared_[index].accept(value);
  if (!accepted)
    throw ConfigError(concat(name, ": wanted ", declared_[index].wanted(), ", found ", to_literal(value)));
  values_[index] = std::move(*accepted);
}

const OptionValue& Options::value(std::string_view name) const { return values_[index_of(name)]; }
bool Options::flag(std::string_view name) const { return std::get<bool>(value(name)); }
std::int64_t Options::integer(std::string_view name) const { return std::get<std::int64_t>(value(name)); }
double Options::number(std::string_view name) const { return std::get<double>(value(name)); }
const std::string& Options::text(std::string_view name) const { return std::get<std::string>(value(name)); }
const std::vector<std::int64_t>& Options::integers(std::string_view name) const {
  return std::get<Integers>(value(name));
}

}  // namespace actlab
