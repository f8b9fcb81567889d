// A table as people see it, whatever the format: text in each cell.
#pragma once

#include <string>
#include <vector>

#include "experiments/results/table.h"

namespace actlab {

struct ReadableColumn {
  std::string name;
  Unit unit;
  bool right;                      ///< numbers stand to the right
  std::vector<std::string> cells;  ///< one a row, on one line
};

/// Spreads are joined to what they belong to: "72.31 ± 0.42 %".
std::vector<ReadableColumn> readable_columns(const Table& table, const TableStyle& style);

/// The formats, each in its own file.
std::string render_text(const Table& table, const TableStyle& style);
std::string render_markdown(const Table& table, const TableStyle& style);
std::string render_latex(const Table& table, const TableStyle& style);
std::string render_csv(const Table& table);
std::string render_json(const Table& table);
std::string render_json_lines(const Table& table);

}  // namespace actlab
