// The charts of a report.
#pragma once

#include <string>
#include <vector>

#include "experiments/report/arm.h"

namespace actlab {

struct Figure {
  std::string title;
  std::string explanation;
  std::string svg;
};

/// Final scores, curves of accuracy and losses, steps to the target, time of a step, memory by layer: those
/// that the runs have values for.
std::vector<Figure> figures_of(const std::vector<Arm>& arms, Metric metric);

}  // namespace actlab
