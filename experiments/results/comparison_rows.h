// What a comparison says of each row by itself.
#pragma once

#include "experiments/results/comparison.h"
#include "experiments/results/comparison_groups.h"

namespace actlab {

/// Everything but what the baseline has a part in.
ComparisonRow make_row(const RunGroup& group);

}  // namespace actlab
