// Tables for people (aligned text, Markdown, LaTeX) and for programs (CSV, JSON), from the same rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/results/record.h"

namespace actlab {

/// How people read a number. Programs get it raw: fractions of 1, bytes, seconds.
enum class Unit : std::uint8_t {
  plain,
  percent,              ///< 0.7231 as "72.31 %"
  points,               ///< a difference of percentages: 0.0042 as "+0.42 pp"
  probability,          ///< "0.012", "< 0.001"
  bytes,                ///< "33.0 MB", of 10^6 bytes
  seconds,              ///< "20.8 ms"
  per_second,           ///< "6150 /s"
  nats,                 ///< a loss: "1.9421 nats"
  nats_difference,      ///< "-0.0213 nats"
  standard_deviations,  ///< the size of an effect: "+0.52"
  reached,              ///< "5/5" as it is, "3/5" as "not reached 2/5"
  verdict,              ///< a text; "better" and "worse" are coloured on terminals
};

struct Column {
  std::string name;
  Unit unit = Unit::plain;
  /// The spread of the column before, of the same unit: people read the two as one, "72.31 ± 0.42 %".
  bool spread = false;
};

struct Table {
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows;  ///< each as long as columns
  std::size_t names = 1;                ///< of the columns, the first that name a row
};

enum class TableFormat : std::uint8_t { table, md, csv, json, jsonl, latex };
std::vector<std::string> table_format_names();
/// Throws ConfigError with the names there are.
TableFormat parse_table_format(std::string_view name);

/// How people see a table; programs' formats have none of it.
struct TableStyle {
  std::optional<int> digits = {};  ///< after the point; none: as each unit has them
  std::size_t width = 0;           ///< of the terminal, in characters, for aligned text; 0: no limit
  bool colours = false;            ///< of aligned text
};

/// The whole table, ending in a new line. Absent and non-finite numbers are "-" for people, empty in CSV,
/// null in JSON. JSON is an array of objects, one a row; jsonl one object a line. Aligned text that is wider
/// than the terminal goes on below, under the names of the rows again. LaTeX is a tabular that takes the
/// package booktabs.
std::string render(const Table& table, TableFormat format, const TableStyle& style = {});

/// Text for a terminal: control characters, which names of files may hold, as "\\x1b" or "\\n".
std::string on_one_line(std::string_view text);

/// A value as people read it: "-", "20.8 ms"; with so many digits after the point where given.
std::string readable(const Cell& cell, Unit unit, std::optional<int> digits = {});

}  // namespace actlab
