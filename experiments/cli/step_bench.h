// A model in training on one random batch, for benchmarks.
#pragma once

#include <memory>

#include "experiments/config/experiment.h"
#include "framework/data/dataset.h"
#include "framework/nn/module.h"
#include "framework/optim/optimizer.h"

namespace actlab {

/// The size of CIFAR-10's images.
inline constexpr ImageSpec cifar_images{.height = 32, .width = 32, .channels = 3, .classes = 10};

class StepBench {
 public:
  /// The experiment's model and optimizer, and `count` random images or windows; on the backend.
  StepBench(const Experiment& experiment, const DataSpec& data, std::int64_t count, Backend& backend);

  Module& model() { return *model_; }
  const Batch& batch() const { return batch_; }
  Tensor loss();
  /// Forward, backward and update.
  void step();

 private:
  std::unique_ptr<Module> model_;
  std::unique_ptr<Optimizer> optimizer_;
  Batch batch_;
};

}  // namespace actlab
