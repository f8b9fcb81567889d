// Made-up runs for the tests of comparisons.
#pragma once

#include <string>
#include <vector>

#include "experiments/results/comparison.h"
#include "kernels/error.h"

namespace actlab {

inline StoredRun make_run(const std::string& activation, std::int64_t seed, double accuracy,
                          RunStatus status = RunStatus::done) {
  StoredRun run;
  run.folder = activation + "-s" + std::to_string(seed);
  run.summary.status = status;
  run.summary.activation = activation;
  run.summary.seed = seed;
  run.summary.accuracy = accuracy;
  run.summary.best_accuracy = accuracy + 0.01;
  run.summary.target = 0.65;
  run.summary.step_seconds = 0.02;
  run.summary.saved_bytes = 1000;
  run.summary.started = "2024-05-01T12:00:00Z";
  run.config = {{"model.activation", activation}, {"seed", std::to_string(seed)}, {"optimizer.lr", "0.05"}};
  return run;
}

/// relu at 70, 71, 72 % and gelu at 71, 73, 75 %.
inline std::vector<StoredRun> three_seeds() {
  std::vector<StoredRun> runs;
  const double relu[] = {0.70, 0.71, 0.72};
  const double gelu[] = {0.71, 0.73, 0.75};
  for (std::int64_t seed = 0; seed < 3; ++seed) {
    runs.push_back(make_run("gelu", seed, gelu[seed]));
    runs.push_back(make_run("relu", seed, relu[seed]));
  }
  return runs;
}

/// The notes, but for what the verdict "too few seeds" means.
inline std::vector<std::string> notes_of(const Comparison& comparison) {
  std::vector<std::string> notes;
  for (const auto& note : comparison.notes)
    if (!note.starts_with("too few seeds:")) notes.push_back(note);
  return notes;
}

}  // namespace actlab
