// The scores of a run that a comparison can be about.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/results/run_record.h"

namespace actlab {

struct RunScore {
  std::string_view name;  ///< "best_accuracy"
  Metric metric;          ///< of an accuracy more is better, of a loss less
  double RunSummary::*field;

  bool of_validation() const { return name.starts_with("validation"); }
  bool of_best() const { return name.starts_with("best"); }
};

std::vector<std::string> score_names();
/// Throws ConfigError with the nearest names.
const RunScore& score_of(std::string_view name);
/// At the last evaluation, of the test or of the validation split.
const RunScore& final_score(Metric metric);
const RunScore& validation_score(Metric metric);

}  // namespace actlab
