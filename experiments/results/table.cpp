// Formats of tables by name, and what those for people share.
#include "experiments/results/table.h"

#include <algorithm>
#include <array>

#include "experiments/results/table_columns.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::array<std::string_view, 6> names = {"table", "md", "csv", "json", "jsonl", "latex"};

bool is_number(const Cell& cell) {
  return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell);
}

// "72.31 %" and "0.42 %" as "72.31 ± 0.42 %"; a spread has no sign.
std::string with_spread(const std::string& value, std::string spread) {
  if (spread == "-") return value;
  if (spread.starts_with('+')) spread.erase(0, 1);
  return value.substr(0, value.find(' ')) + " ± " + spread;
}

}  // namespace

std::vector<ReadableColumn> readable_columns(const Table& table, const TableStyle& style) {
  std::vector<ReadableColumn> columns;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const Column& column = table.columns[j];
    if (!column.spread) columns.push_back({column.name, column.unit, false, {}});
    ReadableColumn& shown = columns.back();
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      const Cell& cell = table.rows[i][j];
      const std::string text = on_one_line(readable(cell, column.unit, style.digits));
      if (column.spread) {
        shown.cells[i] = with_spread(shown.cells[i], text);
      } else {
        shown.cells.push_back(text);
        shown.right = shown.right || is_number(cell);
      }
    }
  }
  return columns;
}

std::vector<std::string> table_format_names() { return {names.begin(), names.end()}; }

TableFormat parse_table_format(std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw ConfigError(concat("unknown format '", name, "'", nearest_names(name, table_format_names())));
  return static_cast<TableFormat>(found - names.begin());
}

std::string on_one_line(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string line;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '\n') {
      line += "\\n";
    } else if (code < 0x20 || code == 0x7f) {
      line += {'\\', 'x', digits[code / 16], digits[code % 16]};
    } else {
      line += c;
    }
  }
  return line;
}

std::string render(const Table& table, TableFormat format, const TableStyle& style) {
  switch (format) {
    case TableFormat::table:
      return render_text(table, style);
    case TableFormat::md:
      return render_markdown(table, style);
    case TableFormat::csv:
      return render_csv(table);
    case TableFormat::json:
      return render_json(table);
    case TableFormat::jsonl:
      return render_json_lines(table);
    case TableFormat::latex:
      return render_latex(table, style);
  }
  throw Error("render: no such format");
}

}  // namespace actlab
