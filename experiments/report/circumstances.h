// What the results of a report come from: its runs, their settings and their machines.
#pragma once

#include <vector>

#include "experiments/charts/markup.h"
#include "experiments/report/arm.h"

namespace actlab {

/// The sections of the page; where runs differ every value is there, and marked.
void add_circumstances(Markup& page, const std::vector<Arm>& arms);

}  // namespace actlab
