// actlab compare: the table of all runs below some folders.
#include <cmath>
#include <sstream>

#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"
#include "experiments/results/comparison.h"
#include "experiments/results/table_order.h"
#include "kernels/error.h"

namespace actlab {
namespace {

// "activation,optimizer.lr"; blank entries are passed over.
std::vector<std::string> split_keys(const std::string& text) {
  std::vector<std::string> keys;
  std::istringstream entries(text);
  for (std::string key; std::getline(entries, key, ',');)
    if (!key.empty()) keys.push_back(key);
  return keys;
}

}  // namespace

int compare_verb(const CompareArguments& arguments) {
  parse_table_format(arguments.format);
  if (!arguments.metric.empty()) score_of(arguments.metric);  // refused before runs are read
  if (const auto& least = arguments.difference; least && !(*least > 0 && std::isfinite(*least)))
    throw ConfigError(concat("--difference: wanted a number above 0, found ", *least));
  const ComparisonOptions options = {.baseline = arguments.baseline,
                                     .metric = arguments.metric,
                                     .by = split_keys(arguments.by),
                                     .smallest_difference = arguments.difference};
  const FoundRuns found = find_runs({arguments.folders.begin(), arguments.folders.end()});
  for (const std::string& message : found.messages) log_warning(message);
  if (found.runs.empty() && !found.messages.empty())
    throw DataError(concat("compare: every run there is damaged (", found.messages.size(), ")"));
  const Comparison comparison = compare_runs(found.runs, options);
  Table table = to_table(comparison);
  if (!arguments.sort.empty()) sort_rows(table, arguments.sort);
  if (arguments.only_changed) drop_equal_columns(table);
  for (const std::string& note : comparison.notes) log_info(note);
  print(table, arguments.format, arguments.precision);
  return 0;
}

}  // namespace actlab
