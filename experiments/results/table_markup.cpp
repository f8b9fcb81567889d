// Tables for documents: Markdown and LaTeX.
#include "experiments/results/table_columns.h"

namespace actlab {
namespace {

std::string in_markdown(const std::string& cell) {
  std::string text;
  for (const char c : cell) text += c == '|' ? "\\|" : std::string(1, c);
  return text;
}

// What LaTeX reads as something else, in any of its font encodings; after the end of a row `[` and `*` too.
std::string in_latex(char c) {
  switch (c) {
    case '&':
    case '%':
    case '$':
    case '#':
    case '_':
    case '{':
    case '}':
      return {'\\', c};
    case '[':
    case ']':
    case '*':
    case '"':
    case '\'':
    case '`':
      return {'{', c, '}'};
    case '<':
    case '>':
    case '|':
      return {'$', c, '$'};
    case '\\':
      return "\\textbackslash{}";
    case '~':
      return "\\textasciitilde{}";
    case '^':
      return "\\textasciicircum{}";
    default:
      return {c};
  }
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size())
    text.replace(at, from.size(), to);
}

std::string in_latex(const std::string& cell, bool number) {
  const bool negative = number && cell.size() > 1 && cell[0] == '-';
  std::string text = negative ? "$-$" : "";
  for (const char c : cell.substr(negative ? 1 : 0)) text += in_latex(c);
  replace_all(text, "±", "$\\pm$");
  replace_all(text, "µ", "$\\mu$");
  return text;
}

}  // namespace

std::string render_markdown(const Table& table, const TableStyle& style) {
  const auto columns = readable_columns(table, style);
  std::string names = "|", rules = "|", rows;
  for (const auto& column : columns) {
    names += " " + in_markdown(column.name) + " |";
    rules += column.right ? "---:|" : "---|";
  }
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    rows += "|";
    for (const auto& column : columns) rows += " " + in_markdown(column.cells[i]) + " |";
    rows += "\n";
  }
  return names + "\n" + rules + "\n" + rows;
}

std::string render_latex(const Table& table, const TableStyle& style) {
  const auto columns = readable_columns(table, style);
  std::string alignment, names, rows;
  for (const auto& column : columns) {
    alignment += column.right ? 'r' : 'l';
    names += (names.empty() ? "" : " & ") + in_latex(column.name, false);
  }
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    std::string row;
    for (const auto& column : columns)
      row += (&column == &columns.front() ? "" : " & ") + in_latex(column.cells[i], column.right);
    rows += row + " \\\\\n";
  }
  return "\\begin{tabular}{" + alignment + "}\n\\toprule\n" + names + " \\\\\n\\midrule\n" + rows +
         "\\bottomrule\n\\end{tabular}\n";
}

}  // namespace actlab
