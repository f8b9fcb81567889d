// Where a sweep has several learning rates: each activation's best by the validation split is compared.
#pragma once

#include <string>
#include <vector>

#include "experiments/results/comparison_groups.h"

namespace actlab {

inline const std::string learning_rate = "optimizer.lr";

/// Of groups that differ in values[place], the learning rate, alone, keeps the one with the best mean
/// validation score at the last evaluation. A rate at which some run is not done comes after all others.
/// Returns notes with what was chosen among what.
std::vector<std::string> keep_best_rates(std::vector<RunGroup>& groups, std::size_t place, Metric metric);

}  // namespace actlab
