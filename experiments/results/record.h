// Named values in order: a line of metrics, a summary, a row of a table; written and read as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace actlab {

/// A value; monostate where there is none.
using Cell = std::variant<std::monostate, bool, std::int64_t, double, std::string>;
using Record = std::vector<std::pair<std::string, Cell>>;

/// The number that all of a text spells, whatever the locale.
std::optional<double> number_in(std::string_view text);

/// The value of a name, or null.
const Cell* find_cell(const Record& record, std::string_view name);

/// A JSON object; numbers in the shortest form that reads back exactly, null for those that are not finite,
/// bytes that are no UTF-8 replaced. On one line, or with a line a value.
enum class Layout : std::uint8_t { line, lines };
std::string to_json(const Record& record, Layout layout = Layout::line);

/// Reads what to_json writes. Throws Error, without the name of a file, for damaged text and nested values.
Record parse_json(std::string_view text);

}  // namespace actlab
