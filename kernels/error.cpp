// Names close to a misspelled or shortened one, by edit distance.
#include "kernels/error.h"

#include <algorithm>
#include <numeric>

namespace actlab {
namespace {

// Levenshtein distance.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_names(std::string_view wanted, const std::vector<std::string>& known) {
  // The beginning of a name is as near to it as one wrong letter.
  const auto distance = [&](const std::string& name) {
    return !wanted.empty() && name.starts_with(wanted) ? std::size_t{1} : edit_distance(wanted, name);
  };
  std::vector<std::string> sorted = known;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const std::string& a, const std::string& b) { return distance(a) < distance(b); });
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(3, sorted.size()); ++i)
    text += (i == 0 ? ", nearest: " : ", ") + sorted[i];
  return text;
}

}  // namespace actlab
