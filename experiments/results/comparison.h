// Compares runs by activation: one row each, with the statistics over seeds.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "experiments/results/run_folder.h"
#include "experiments/results/run_score.h"
#include "experiments/results/table.h"

namespace actlab {

/// NaN stands for a number that is not known. README.md beside this file has the formulas.
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
  double effect = unknown;      ///< the differences' mean in units of their spread: Hedges' g
  std::string verdict;  ///< "baseline", "better", "worse", ...; empty where the baseline has no such row
  double best_accuracy_mean = unknown;
  double best_accuracy_ci95 = unknown;
  double best_loss_mean = unknown;
  double best_loss_ci95 = unknown;
  double validation_accuracy_mean = unknown;  ///< final
  double validation_accuracy_ci95 = unknown;
  double validation_loss_mean = unknown;
  double validation_loss_ci95 = unknown;
  // Over the runs that ended, diverged ones among them:
  double convergence_steps = unknown;  ///< median, where one that never reached the target counts as beyond
  std::string reached;                 ///< "3/5" of them; empty without a target
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
  RunScore score = final_score(Metric::accuracy);  ///< what the deltas are of
  /// Settings that make rows beside the activation: those asked for, else all that differ among the runs,
  /// activation and seed apart: different experiments are never averaged. Where data and runs lie and the
  /// number of threads make no different experiment; the split that chose the best evaluation does
  /// ("selected_by"). The precision is one of them wherever it is not f32.
  std::vector<std::string> keys;
  std::vector<ComparisonRow> rows;    ///< in order of appearance
  std::vector<std::string> notes;     ///< what a reader should know
  bool chosen_by_validation = false;  ///< each row has its best learning rate; the others are left out
};

struct ComparisonOptions {
  /// An activation as spelled or by its plain name; empty: relu, else the first. Or KEY=VALUE of a setting
  /// that differs: each row is then held against that of its activation with this value.
  std::string baseline = {};
  std::string metric = {};           ///< name of a RunScore; empty: the final one that the runs are judged by
  std::vector<std::string> by = {};  ///< settings that make rows; empty: all that differ
  /// That counts for verdicts, in points of accuracy or nats of loss; none: 0.5 or 0.02.
  std::optional<double> smallest_difference = {};
};

/// A plain name that fits several spellings throws ConfigError with them. Each row is held against the
/// baseline's row with the same values of the other `keys`. Of several runs of one job the newest counts.
/// Where the learning rate differs, is not asked for, and a validation split was held out, each activation's
/// best by it is compared. Throws ConfigError for options that the runs cannot meet, and without runs.
Comparison compare_runs(const std::vector<StoredRun>& runs, const ComparisonOptions& options = {});

/// Columns of what the metric asks for, and of what some row has.
Table to_table(const Comparison& comparison);

}  // namespace actlab
