// What a training run has seen so far; kept in checkpoints, summed up in the run's results.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "framework/optim/loss_scaler.h"
#include "framework/train/metric.h"

namespace actlab {

/// Mean loss and accuracy over the labels of a split.
struct Score {
  double loss = 0;
  double accuracy = 0;
};

inline bool better(const Score& a, const Score& b, Metric metric) {
  return metric == Metric::loss ? a.loss < b.loss : a.accuracy > b.accuracy;
}

/// What counts as converged: an accuracy of `value` or more, or a loss of `value` or less; nothing for 0.
struct Target {
  Metric metric = Metric::accuracy;
  double value = 0;

  bool reached_by(const Score& score) const {
    if (value <= 0) return false;
    return metric == Metric::loss ? score.loss <= value : score.accuracy >= value;
  }
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
  std::int64_t step = 0;     ///< updates finished, those left out among them
  std::int64_t skipped = 0;  ///< left out, because in f16 a gradient overflowed
  LossScale scaling = {};
  std::vector<Evaluation> evaluations;
  double loss_sum = 0;  ///< over the labels since the last evaluation
  std::int64_t loss_labels = 0;

  /// The evaluation of the best deciding score, the earliest of equals; null before the first.
  const Evaluation* best(Metric metric) const {
    const Evaluation* best = nullptr;
    for (const Evaluation& e : evaluations)
      if (best == nullptr || better(e.deciding(), best->deciding(), metric)) best = &e;
    return best;
  }
  /// Updates finished at the first evaluation whose deciding score reaches the target.
  std::optional<std::int64_t> convergence_steps(const Target& target) const {
    for (const Evaluation& e : evaluations)
      if (target.reached_by(e.deciding())) return e.step;
    return std::nullopt;
  }
};

}  // namespace actlab
