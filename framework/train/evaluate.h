// Scores of a model on a split.
#pragma once

#include "framework/data/dataset.h"
#include "framework/data/loader.h"
#include "framework/nn/module.h"
#include "framework/train/progress.h"

namespace actlab {

/// One batch on a backend: images f32 (n, H, W, C), labels i32 (n).
struct Batch {
  Tensor images;
  Tensor labels;
};

Batch load_batch(Loader& loader, const ImageSpec& spec, std::int64_t epoch, std::int64_t index,
                 Backend& backend);

/// Rows of logits (N, classes) whose first largest element is the label; a row with a NaN counts as wrong.
std::int64_t count_correct(const Tensor& logits, const Tensor& labels);

/// Mean loss and accuracy over every sample of the split, the last short batch included, in evaluation mode; no
/// gradients are recorded.
Score evaluate(Module& model, const ImageDataset& data, const ImageSplit& split, std::int64_t batch,
               Backend& backend);

}  // namespace actlab
