// What a comparison says of its rows against the baseline.
#pragma once

#include <optional>

#include "experiments/results/comparison.h"
#include "experiments/results/comparison_baseline.h"
#include "experiments/results/run_score.h"

namespace actlab {

/// Fills delta, delta_ci95, delta_p, effect and verdict of the rows, which belong to the groups one to one,
/// and adds notes. The smallest difference that counts is in points of accuracy or nats. `chosen` is the
/// place of a setting that each activation has its own value of.
void add_verdicts(const std::vector<RunGroup>& groups, const Baseline& baseline,
                  std::optional<std::size_t> chosen, const RunScore& score, double smallest_difference,
                  Comparison& comparison);

}  // namespace actlab
