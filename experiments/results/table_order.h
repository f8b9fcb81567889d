// Which rows come first, and which columns are left out.
#pragma once

#include <string_view>

#include "experiments/results/table.h"

namespace actlab {

/// Orders the rows by "COLUMN" or "COLUMN:desc": numbers by size, also where they are text, and before other
/// text; what is absent last either way; equal ones as before. Throws ConfigError with the nearest names.
void sort_rows(Table& table, std::string_view order);

/// Leaves out the columns that are the same in all rows, but those that name a row; a spread goes with its
/// column. Fewer than two rows keep everything.
void drop_equal_columns(Table& table);

}  // namespace actlab
