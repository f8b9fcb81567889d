// Scores of a model on a split.
#pragma once

#include "framework/data/dataset.h"
#include "framework/nn/module.h"
#include "framework/train/progress.h"

namespace actlab {

/// Rows of logits (N, classes) whose first largest element is the label; a row with a NaN counts as wrong.
std::int64_t count_correct(const Tensor& logits, const Tensor& labels);

/// Mean loss and accuracy over every label of the split, the last short batch included, in evaluation mode;
/// no gradients are recorded.
Score evaluate(Module& model, const Dataset& data, SplitName split, std::int64_t batch, Backend& backend);

}  // namespace actlab
