// Tables for programs: CSV and JSON.
#include "experiments/results/table_columns.h"
#include "framework/core/options.h"

namespace actlab {
namespace {

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

std::string json_row(const Table& table, const std::vector<Cell>& row) {
  Record record;
  for (std::size_t j = 0; j < row.size(); ++j) record.emplace_back(table.columns[j].name, row[j]);
  return to_json(record);
}

}  // namespace

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

}  // namespace actlab
