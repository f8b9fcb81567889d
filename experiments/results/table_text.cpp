// Tables as aligned text, within the width of a terminal.
#include <algorithm>

#include "experiments/results/table_columns.h"

namespace actlab {
namespace {

constexpr const char *bold = "1", *red = "31", *green = "32";
constexpr std::size_t gap = 2;

// Characters, not bytes: those that do not continue a UTF-8 sequence.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; }));
}

std::size_t width_of(const ReadableColumn& column) {
  std::size_t width = width_of(column.name);
  for (const auto& cell : column.cells) width = std::max(width, width_of(cell));
  return width;
}

std::string coloured(const std::string& text, const char* colour) {
  return std::string("\x1b[") + colour + "m" + text + "\x1b[0m";
}

std::string verdict(const std::string& text) {
  return text.starts_with("better")  ? coloured(text, green)
         : text.starts_with("worse") ? coloured(text, red)
                                     : text;
}

// Without spaces at the end of a line. Row 0 is the header.
std::string block(const std::vector<const ReadableColumn*>& columns, std::size_t rows, bool colours) {
  std::string text;
  for (std::size_t i = 0; i <= rows; ++i) {
    std::string line, space;
    for (const ReadableColumn* column : columns) {
      const std::string& cell = i == 0 ? column->name : column->cells[i - 1];
      const std::string padding(width_of(*column) - width_of(cell), ' ');
      if (column->right) space += padding;
      line += space;
      line += colours && i > 0 && column->unit == Unit::verdict ? verdict(cell) : cell;
      space = std::string(gap, ' ');
      if (!column->right) space += padding;
    }
    text += (colours && i == 0 ? coloured(line, bold) : line) + "\n";
  }
  return text;
}

}  // namespace

std::string render_text(const Table& table, const TableStyle& style) {
  const auto columns = readable_columns(table, style);
  const std::size_t names = std::min(table.names, columns.size());
  std::vector<const ReadableColumn*> names_of_rows;
  std::size_t width_of_names = 0;
  for (std::size_t j = 0; j < names; ++j) {
    names_of_rows.push_back(&columns[j]);
    width_of_names += (j == 0 ? 0 : gap) + width_of(columns[j]);
  }
  auto shown = names_of_rows;
  std::size_t width = width_of_names;
  std::string text;
  for (std::size_t j = names; j < columns.size(); ++j) {
    const std::size_t wanted = (shown.empty() ? 0 : gap) + width_of(columns[j]);
    if (style.width > 0 && width + wanted > style.width && shown.size() > names) {
      text += block(shown, table.rows.size(), style.colours) + "\n";
      shown = names_of_rows;
      width = width_of_names;
    }
    shown.push_back(&columns[j]);
    width += wanted;
  }
  return text + block(shown, table.rows.size(), style.colours);
}

}  // namespace actlab
