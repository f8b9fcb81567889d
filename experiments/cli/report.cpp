// actlab report: the page of a comparison.
#include "experiments/report/report.h"

#include "experiments/cli/log.h"
#include "experiments/cli/output.h"
#include "experiments/cli/verbs.h"
#include "framework/core/files.h"
#include "kernels/error.h"

namespace actlab {

int report_verb(const ReportArguments& arguments) {
  const FoundRuns found = find_runs({arguments.folders.begin(), arguments.folders.end()});
  for (const std::string& message : found.messages) log_warning(message);
  if (found.runs.empty() && !found.messages.empty())
    throw DataError(concat("report: every run there is damaged (", found.messages.size(), ")"));
  Comparison comparison = compare_runs(found.runs, {.baseline = arguments.baseline, .metric = {}});
  comparison.notes.insert(comparison.notes.end(), found.messages.begin(), found.messages.end());
  const Report report = make_report(found.runs, comparison, arguments.title);
  for (const std::string& message : report.messages) log_warning(message);
  write_file_atomically(arguments.output, report.html);
  print({{"report", arguments.output},
         {"runs", std::ssize(found.runs)},
         {"rows", std::ssize(comparison.rows)},
         {"bytes", std::ssize(report.html)}},
        {{"report"}, {"runs"}, {"rows"}, {"bytes"}}, arguments.format);
  return 0;
}

}  // namespace actlab
