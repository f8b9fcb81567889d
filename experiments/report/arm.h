// An arm of a comparison: the runs of one of its rows, with what the report draws of them.
#pragma once

#include <string>
#include <vector>

#include "experiments/charts/chart.h"
#include "experiments/results/comparison.h"

namespace actlab {

/// A run with its lines of metrics and its environment, empty where they could not be read.
struct ReportedRun {
  const StoredRun* stored;
  std::vector<Record> metrics;
  Record environment;
};

struct Arm {
  std::string name;  ///< "gelu", "gelu, precision = bf16" where that tells it from another
  Look look;
  std::vector<ReportedRun> runs;  ///< one a seed
  double convergence_steps;       ///< of the comparison's row: the median, NaN where it is not known
  std::string reached;            ///< "3/5"; empty without a target

  /// Those that are done, as means are of them.
  std::vector<const ReportedRun*> done() const;
};

/// One for each row of the comparison of these runs, in its order. What cannot be read adds a message.
std::vector<Arm> arms_of(const std::vector<StoredRun>& runs, const Comparison& comparison,
                         std::vector<std::string>& messages);

/// The mean of a metric, times `factor`, and half the width of its 95 % interval, at the steps that all the
/// done runs have; of all runs where none is done.
std::vector<Point> mean_curve(const Arm& arm, std::string_view metric, double factor);

}  // namespace actlab
