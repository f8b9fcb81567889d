// The report of a comparison: one HTML file with its table, charts and circumstances, which needs nothing
// else.
#pragma once

#include <string>
#include <vector>

#include "experiments/results/comparison.h"

namespace actlab {

struct Report {
  std::string html;                   ///< equal runs give equal bytes
  std::vector<std::string> messages;  ///< what of the runs could not be read
};

/// An empty title gives the names of the experiments.
Report make_report(const std::vector<StoredRun>& runs, const Comparison& comparison,
                   const std::string& title);

}  // namespace actlab
