// The numbers of one training step, for other programs to check.
#pragma once

#include <cstdint>
#include <filesystem>

#include "experiments/config/experiment.h"
#include "experiments/runner/build.h"

namespace actlab {

struct TraceSummary {
  std::int64_t samples = 0;  ///< images or tokens of the batch
  double loss = 0;
  std::int64_t tensors = 0;  ///< in the file
};

/// Takes the first training batch as training would (its order, augmentation and mode), runs forward and
/// backward once, and writes a safetensors file (replaced at once, or left as it was): `input`, `labels`, of
/// text `places` and `lengths`, `logits`, `loss`, and of every parameter `parameter.NAME` and
/// `gradient.NAME`, of every buffer, after the pass, `buffer.NAME`. With train.accumulate the batch is the
/// first micro-batch. The metadata hold the layout of each tensor ("layout.NAME"), the experiment as a file
/// ("config"), and what environment.json holds.
TraceSummary write_trace(const Experiment& experiment, DataSets& data, const std::filesystem::path& file);

}  // namespace actlab
