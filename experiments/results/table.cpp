// Renders tables.
#include "experiments/results/table.h"

#include <algorithm>
#include <array>

#include "framework/core/options.h"
#include "kernels/error.h"

namespace actlab {
namespace {

using Lines = std::vector<std::vector<std::string>>;

constexpr std::array<std::string_view, 5> names = {"table", "md", "csv", "json", "jsonl"};

bool is_number(const Cell& cell) {
  return std::holds_alternative<std::int64_t>(cell) || std::holds_alternative<double>(cell);
}

std::string cell_text(const Cell& cell, Unit unit) { return on_one_line(readable(cell, unit)); }

}  // namespace

Lines readable_lines(const Table& table) {
  Lines lines(table.rows.size() + 1);
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    const Column& column = table.columns[j];
    const bool spread_follows = j + 1 < table.columns.size() && table.columns[j + 1].spread;
    if (column.spread) continue;
    lines[0].push_back(column.name);
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      std::string text = cell_text(table.rows[i][j], column.unit);
      std::string spread = spread_follows ? cell_text(table.rows[i][j + 1], column.unit) : "-";
      if (spread.starts_with('+')) spread.erase(0, 1);
      if (spread != "-") text = text.substr(0, text.find(' ')) + " ± " + spread;
      lines[i + 1].push_back(text);
    }
  }
  return lines;
}

namespace {

// Characters, not bytes: those that do not continue a UTF-8 sequence.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

}  // namespace

std::vector<bool> right_aligned(const Table& table) {
  std::vector<bool> right;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (table.columns[j].spread) continue;
    right.push_back(std::any_of(table.rows.begin(), table.rows.end(),
                                [&](const auto& row) { return is_number(row[j]); }));
  }
  return right;
}

namespace {

std::string render_text(const Table& table) {
  const Lines lines = readable_lines(table);
  const auto right = right_aligned(table);
  std::string text;
  std::vector<std::size_t> widths(right.size());
  for (const auto& line : lines)
    for (std::size_t j = 0; j < line.size(); ++j) widths[j] = std::max(widths[j], width_of(line[j]));
  for (const auto& line : lines) {
    std::string row;
    for (std::size_t j = 0; j < line.size(); ++j) {
      const std::string space(widths[j] - width_of(line[j]), ' ');
      row += (j == 0 ? "" : "  ") + (right[j] ? space + line[j] : line[j] + space);
    }
    text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string render_markdown(const Table& table) {
  const Lines lines = readable_lines(table);
  const auto add_line = [](const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const auto& cell : cells) {
      line += ' ';
      for (const char c : cell) line += c == '|' ? "\\|" : std::string(1, c);
      line += " |";
    }
    return line + "\n";
  };
  std::string text = add_line(lines[0]) + "|";
  for (const bool right : right_aligned(table)) text += right ? "---:|" : "---|";
  text += "\n";
  for (std::size_t i = 1; i < lines.size(); ++i) text += add_line(lines[i]);
  return text;
}

std::string csv_field(const Cell& cell) {
  std::string text;
  if (const auto* number = std::get_if<double>(&cell)) {
    if (*number - *number == 0) text = to_string(OptionValue(*number));
  } else if (const auto* integer = std::get_if<std::int64_t>(&cell)) {
    text = to_string(OptionValue(*integer));
  } else if (const auto* flag = std::get_if<bool>(&cell)) {
    text = to_string(OptionValue(*flag));
  } else if (const auto* given = std::get_if<std::string>(&cell)) {
    text = *given;
  }
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

// RFC 4180, with plain new lines.
std::string render_csv(const Table& table) {
  std::string text;
  const auto add_field = [&](std::size_t j, const Cell& cell) {
    if (j > 0) text += ',';
    text += csv_field(cell);
  };
  for (std::size_t j = 0; j < table.columns.size(); ++j) add_field(j, table.columns[j].name);
  text += '\n';
  for (const auto& row : table.rows) {
    for (std::size_t j = 0; j < row.size(); ++j) add_field(j, row[j]);
    text += '\n';
  }
  return text;
}

std::string json_row(const Table& table, const std::vector<Cell>& row) {
  Record record;
  for (std::size_t j = 0; j < row.size(); ++j) record.emplace_back(table.columns[j].name, row[j]);
  return to_json(record);
}

std::string render_json(const Table& table) {
  std::string text = "[";
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    text += (i == 0 ? "\n  " : ",\n  ") + json_row(table, table.rows[i]);
  return text + (table.rows.empty() ? "]\n" : "\n]\n");
}

std::string render_json_lines(const Table& table) {
  std::string text;
  for (const auto& row : table.rows) text += json_row(table, row) + "\n";
  return text;
}

}  // namespace

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

std::string render(const Table& table, TableFormat format) {
  switch (format) {
    case TableFormat::table:
      return render_text(table);
    case TableFormat::md:
      return render_markdown(table);
    case TableFormat::csv:
      return render_csv(table);
    case TableFormat::json:
      return render_json(table);
    case TableFormat::jsonl:
      return render_json_lines(table);
  }
  throw Error("render: no such format");
}

}  // namespace actlab
