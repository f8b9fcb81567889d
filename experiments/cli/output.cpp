// Results on standard output.
#include "experiments/cli/output.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "experiments/cli/terminal_line.h"
#include "kernels/error.h"

namespace actlab {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

// Neither width nor colours where standard output is no terminal.
TableStyle terminal_style() {
  if (isatty(STDOUT_FILENO) == 0) return {};
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return {.digits = {}, .width = terminal_width(STDOUT_FILENO), .colours = !dumb && !is_set("NO_COLOR")};
}

}  // namespace

Cell number_cell(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

void print(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw Error("standard output: cannot be written");
}

void print(const Table& table, std::string_view format, std::optional<int> digits) {
  TableStyle style = terminal_style();
  style.digits = digits;
  print(render(table, parse_table_format(format), style));
}

void print(const Record& record, const std::vector<Column>& columns, std::string_view format) {
  const TableFormat wanted = parse_table_format(format);
  if (wanted == TableFormat::json || wanted == TableFormat::jsonl) {
    print(to_json(record, wanted == TableFormat::json ? Layout::lines : Layout::line) + "\n");
    return;
  }
  Table table;
  if (wanted == TableFormat::csv) {
    table.columns = columns;
    for (const auto& entry : record) table.rows.resize(1), table.rows[0].push_back(entry.second);
  } else {
    table.columns = {{"name"}, {"value"}};
    for (std::size_t i = 0; i < record.size(); ++i)
      table.rows.push_back({record[i].first, readable(record[i].second, columns[i].unit)});
  }
  print(render(table, wanted, terminal_style()));
}

}  // namespace actlab
