// The table that `run` and `compare` print.
#pragma once

#include <string>
#include <vector>

#include "experiments/results/comparison.h"

namespace actlab {

/// Its notes go to the log.
void print_comparison(const std::vector<StoredRun>& runs, const ComparisonOptions& options,
                      const std::string& format);

}  // namespace actlab
