// Sorts rows and drops columns.
#include "experiments/results/table_order.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "kernels/error.h"

namespace actlab {
namespace {

enum class Kind : std::uint8_t { number, text, absent };  // in this order

// What a cell is sorted by.
struct SortKey {
  Kind kind = Kind::absent;
  double number = 0;
  std::string text = {};

  auto all() const { return std::tie(kind, number, text); }
};

SortKey key_of(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) {
    if (const auto number = number_in(*text)) return {Kind::number, *number};
    return text->empty() ? SortKey{} : SortKey{Kind::text, 0, *text};
  }
  if (const auto* flag = std::get_if<bool>(&cell)) return {Kind::number, *flag ? 1.0 : 0.0};
  if (const auto* integer = std::get_if<std::int64_t>(&cell))
    return {Kind::number, static_cast<double>(*integer)};
  if (const auto* number = std::get_if<double>(&cell); number != nullptr && std::isfinite(*number))
    return {Kind::number, *number};
  return {};
}

std::size_t place_of(const Table& table, std::string_view name) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw ConfigError(concat("--sort: there is no column '", name, "'", nearest_names(name, names)));
  return static_cast<std::size_t>(found - names.begin());
}

bool all_same(const Table& table, std::size_t place) {
  const SortKey first = key_of(table.rows.front()[place]);
  return std::all_of(table.rows.begin(), table.rows.end(),
                     [&](const auto& row) { return key_of(row[place]).all() == first.all(); });
}

}  // namespace

void sort_rows(Table& table, std::string_view order) {
  constexpr std::string_view descending = ":desc";
  const bool falling = order.ends_with(descending);
  if (falling) order.remove_suffix(descending.size());
  const std::size_t place = place_of(table, order);
  std::stable_sort(table.rows.begin(), table.rows.end(), [&](const auto& a, const auto& b) {
    SortKey left = key_of(a[place]), right = key_of(b[place]);
    if (falling && left.kind != Kind::absent && right.kind != Kind::absent) std::swap(left, right);
    return left.all() < right.all();
  });
}

void drop_equal_columns(Table& table) {
  if (table.rows.size() < 2) return;
  Table kept{{}, std::vector<std::vector<Cell>>(table.rows.size()), table.names};
  for (std::size_t j = 0; j < table.columns.size();) {
    std::size_t end = j + 1;
    while (end < table.columns.size() && table.columns[end].spread) ++end;
    bool differs = j < table.names;
    for (std::size_t k = j; k < end; ++k) differs = differs || !all_same(table, k);
    for (; j < end; ++j) {
      if (!differs) continue;
      kept.columns.push_back(table.columns[j]);
      for (std::size_t i = 0; i < table.rows.size(); ++i) kept.rows[i].push_back(table.rows[i][j]);
    }
  }
  table = std::move(kept);
}

}  // namespace actlab
