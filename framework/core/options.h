// Options of a component (model, data set, optimizer, schedule): declared once with type, default, range and
// help; read by name once values are known. The experiment files, the command line and the help are made from
// the declarations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace actlab {

using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>>;

/// "true", "5", "0.05", "text", "[32, 64]": numbers in the shortest form that reads back exactly, whatever
/// the locale.
std::string to_string(const OptionValue& value);
/// The value as an experiment file spells it: to_string, but text in quotes.
std::string to_literal(const OptionValue& value);

struct Option {
  std::string name;
  OptionValue fallback;  ///< default; its alternative is the option's type
  std::string help = {};
  double least = -1e308;
  double most = 1e308;
  /// Of a string; empty: any. One that ends in ":N" is any with a whole number there, as in "cuda:1".
  std::vector<std::string> choices = {};

  bool below_most = false;  ///< `most` itself is out of range

  /// "integer >= 1", "number in [0, 1]", "number in [0, 1)", "one of a, b": for messages and help.
  std::string wanted() const;
  /// The value brought to the option's type (an integer serves as a number) and checked; on failure nothing.
  std::optional<OptionValue> accept(const OptionValue& value) const;
  /// The value that a command line spells, read by the option's type (text needs no quotes) and checked.
  std::optional<OptionValue> read(std::string_view text) const;
};

std::vector<std::string> names_of(const std::vector<Option>& declared);

/// The options of one component, with values.
class Options {
 public:
  Options() = default;
  /// All defaults.
  explicit Options(std::vector<Option> declared);

  const std::vector<Option>& declared() const { return declared_; }
  /// Throws ConfigError for an unknown name (with the nearest), a wrong type or a value out of range.
  void set(std::string_view name, const OptionValue& value);

  const OptionValue& value(std::string_view name) const;
  bool flag(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  double number(std::string_view name) const;
  const std::string& text(std::string_view name) const;
  const std::vector<std::int64_t>& integers(std::string_view name) const;

 private:
  std::size_t index_of(std::string_view name) const;

  std::vector<Option> declared_;
  std::vector<OptionValue> values_;
};

}  // namespace actlab
