// Tables for people (aligned text, Markdown) and for programs (CSV, JSON), from the same rows.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/results/record.h"

namespace actlab {

/// How people read a number. Programs get it raw: fractions of 1, bytes, seconds.
enum class Unit : std::uint8_t {
  plain,
  percent,          ///< 0.7231 as "72.31 %"
  points,           ///< a difference of percentages: 0.0042 as "+0.42 pp"
  probability,      ///< "0.012", "< 0.001"
  bytes,            ///< "33.0 MB", of 10^6 bytes
  seconds,          ///< "20.8 ms"
  per_second,       ///< "6150 /s"
  nats,             ///< a loss: "1.9421 nats"
  nats_difference,  ///< "-0.0213 nats"
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
};

enum class TableFormat : std::uint8_t { table, md, csv, json, jsonl };
std::vector<std::string> table_format_names();
/// Throws ConfigError with the names there are.
TableFormat parse_table_format(std::string_view name);

/// The whole table, ending in a new line. Absent and non-finite numbers are "-" for people, empty in CSV,
/// null in JSON. JSON is an array of objects, one a row; jsonl one object a line.
std::string render(const Table& table, TableFormat format);

/// Text for a terminal: control characters, which names of files may hold, as "\\x1b" or "\\n".
std::string on_one_line(std::string_view text);

/// The header and the rows as people see them, spreads joined to what they belong to.
std::vector<std::vector<std::string>> readable_lines(const Table& table);
/// Of the same columns: whether one holds numbers, which stand to the right.
std::vector<bool> right_aligned(const Table& table);

/// A value as people read it: "-", "20.8 ms".
std::string readable(const Cell& cell, Unit unit);

}  // namespace actlab
