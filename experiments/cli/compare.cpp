// actlab compare: the table of runs.
#include "experiments/cli/compare.h"

#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"
#include "kernels/error.h"

namespace actlab {

void print_comparison(const std::vector<StoredRun>& runs, const ComparisonOptions& options,
                      const std::string& format) {
  const Comparison comparison = compare_runs(runs, options);
  for (const std::string& note : comparison.notes) log_info(note);
  print(to_table(comparison), format);
}

int compare_verb(const CompareArguments& arguments) {
  parse_table_format(arguments.format);
  ComparisonOptions options{.baseline = arguments.baseline, .metric = {}};
  if (!arguments.metric.empty()) options.metric = parse_metric(arguments.metric);
  const FoundRuns found = find_runs({arguments.folders.begin(), arguments.folders.end()});
  for (const std::string& message : found.messages) log_warning(message);
  if (found.runs.empty() && !found.messages.empty())
    throw DataError(concat("compare: every run there is damaged (", found.messages.size(), ")"));
  print_comparison(found.runs, options, arguments.format);
  return 0;
}

}  // namespace actlab
