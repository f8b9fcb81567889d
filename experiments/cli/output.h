// Results on standard output.
#pragma once

#include <string>
#include <string_view>

#include "experiments/results/table.h"

namespace actlab {

/// A number, or the word for it where JSON and CSV have none: inf, -inf, nan.
Cell number_cell(double value);

/// Prints text as it is. Throws Error where standard output cannot be written.
void print(const std::string& text);

/// Prints a table in a format, with so many digits after the point for people. On a terminal it keeps to the
/// width, and has colours unless the environment says no (NO_COLOR, TERM=dumb).
void print(const Table& table, std::string_view format, std::optional<int> digits = {});

/// Prints one record: as one JSON object for json and jsonl, else as a table of names and values, or of one
/// row for csv.
void print(const Record& record, const std::vector<Column>& columns, std::string_view format);

}  // namespace actlab
