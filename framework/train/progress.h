// What a training run has seen so far; kept in checkpoints, summed up in the run's results.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace actlab {

/// Mean loss and accuracy over the labels of a split.
struct Score {
  double loss = 0;
  double accuracy = 0;
};

struct Evaluation {
  std::int64_t step = 0;  ///< updates finished
  double epoch = 0;       ///< the same in passes over the training split
  double train_loss = 0;  ///< mean over the labels trained on since the evaluation before
  Score test;
  std::optional<Score> validation = {};  ///< where the data has such a split
  double lr = 0;                         ///< of the update before

  /// What evaluations are chosen by: the validation score where there is one, so that the test score of the
  /// chosen one stays honest.
  const Score& deciding() const { return validation ? *validation : test; }
};

struct Progress {
  std::int64_t step = 0;  ///< updates finished
  std::vector<Evaluation> evaluations;
  double loss_sum = 0;  ///< over the labels since the last evaluation
  std::int64_t loss_labels = 0;

  /// The evaluation of highest deciding accuracy, the earliest of equals; null before the first.
  const Evaluation* best() const {
    const Evaluation* best = nullptr;
    for (const Evaluation& e : evaluations)
      if (best == nullptr || e.deciding().accuracy > best->deciding().accuracy) best = &e;
    return best;
  }
  /// Updates finished at the first evaluation whose deciding accuracy is at least `target`; none for a target
  /// of 0.
  std::optional<std::int64_t> convergence_steps(double target) const {
    if (target <= 0) return std::nullopt;
    for (const Evaluation& e : evaluations)
      if (e.deciding().accuracy >= target) return e.step;
    return std::nullopt;
  }
};

}  // namespace actlab
