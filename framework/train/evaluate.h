// Scores of a model on a split.
#pragma once

#include "framework/data/dataset.h"
#include "framework/nn/module.h"
#include "framework/train/progress.h"

namespace actlab {

/// Mean loss and accuracy over every label of the split, the last short batch included, in evaluation mode;
/// no gradients are recorded.
Score evaluate(Module& model, const Dataset& data, SplitName split, std::int64_t batch, Backend& backend);

}  // namespace actlab
