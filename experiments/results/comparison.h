// Compares runs by activation: one row each, with the statistics over seeds.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "experiments/results/run_folder.h"
#include "experiments/results/table.h"

namespace actlab {

/// NaN stands for a number that is not known.
struct ComparisonRow {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

  std::string activation;
  std::vector<std::string> values;             ///< of Comparison::keys
  std::int64_t seeds = 0;                      ///< runs, one a seed
  std::vector<std::filesystem::path> folders;  ///< theirs
  // Over the runs that are done:
  double accuracy_mean = unknown;  ///< final
  double accuracy_ci95 = unknown;  ///< half the width of the interval
  double loss_mean = unknown;      ///< final, in nats
  double loss_ci95 = unknown;
  double perplexity = unknown;  ///< exp(loss_mean)
  double delta = unknown;       ///< mean of the metric minus the baseline's, paired by seed
  double delta_ci95 = unknown;  ///< half the width of its interval, not widened for the number of rows
  double delta_p = unknown;     ///< of the paired t-test, Holm-corrected over all rows
  double best_accuracy_mean = unknown;
  double best_loss_mean = unknown;
  double convergence_steps = unknown;  ///< median of those that reached the target
  std::string reached;                 ///< "3/5" of all runs; empty without a target
  double step_seconds = unknown;       ///< median
  double images_per_second = unknown;  ///< median, of images
  double tokens_per_second = unknown;  ///< median, of text
  std::int64_t activation_bytes = 0;   ///< largest, as all bytes that follow
  std::int64_t saved_bytes = 0;
  std::int64_t ffn_bytes = 0;        ///< of the saved ones those of layers within an `ffn`
  std::int64_t attention_bytes = 0;  ///< within an `attention`
  std::int64_t peak_bytes = 0;
  std::int64_t parameters = 0;
  std::string learned;  ///< "beta 0.93..1.21", over all layers and channels; empty where nothing is trained
  std::string status;   ///< "done", "done 4, diverged 1"
};

struct Comparison {
  Metric metric = Metric::accuracy;  ///< what the deltas are of
  /// Settings that differ among the runs, beside activation and seed: different experiments are never
  /// averaged. Where data and runs lie and the number of threads make no different experiment; the split that
  /// chose the best evaluation does ("selected_by"). The precision is one of them wherever it is not f32.
  std::vector<std::string> keys;
  std::vector<ComparisonRow> rows;  ///< in order of appearance
  std::vector<std::string> notes;   ///< what a reader should know
};

struct ComparisonOptions {
  /// An activation as spelled or by its plain name; empty: relu, else the first. Or KEY=VALUE of a setting
  /// that differs: each row is then held against that of its activation with this value.
  std::string baseline;
  std::optional<Metric> metric;  ///< none: what the runs are judged by, accuracy where that differs
};

/// A plain name that fits several spellings throws ConfigError with them. Each row is held against the
/// baseline's row with the same values of the other `keys`. Of several runs of one job the newest counts.
/// Throws ConfigError for a baseline that no run has, and where there are no runs.
Comparison compare_runs(const std::vector<StoredRun>& runs, const ComparisonOptions& options = {});

/// Columns of what the metric asks for, and of what some row has.
Table to_table(const Comparison& comparison);

}  // namespace actlab
