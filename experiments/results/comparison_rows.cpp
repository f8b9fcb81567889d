// Statistics over the runs of a row.
#include "experiments/results/comparison_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "experiments/results/learned.h"
#include "experiments/results/statistics.h"
#include "kernels/error.h"

namespace actlab {
namespace {

std::int64_t largest(const RunGroup& group, std::int64_t RunSummary::*field) {
  std::int64_t most = group.runs.front()->summary.*field;
  for (const StoredRun* run : group.runs) most = std::max(most, run->summary.*field);
  return most;
}

// Whether a dotted name has a component: "block1.ffn.up" has "ffn".
bool lies_within(std::string_view layer, std::string_view component) {
  return concat('.', layer, '.').find(concat('.', component, '.')) != std::string::npos;
}

std::int64_t largest_within(const RunGroup& group, std::string_view component) {
  std::int64_t most = 0;
  for (const StoredRun* run : group.runs) {
    std::int64_t bytes = 0;
    for (const auto& [layer, saved] : run->summary.saved_bytes_by_layer)
      if (lies_within(layer, component)) bytes += saved;
    most = std::max(most, bytes);
  }
  return most;
}

std::string status_of(const RunGroup& group) {
  std::map<RunStatus, int> counts;
  for (const StoredRun* run : group.runs) ++counts[run->summary.status];
  if (counts.size() == 1) return std::string(name_of(counts.begin()->first));
  const auto describe = [](const auto& count) {
    return std::string(name_of(count.first)) + " " + std::to_string(count.second);
  };
  std::string text;
  for (const auto& count : counts) text += (text.empty() ? "" : ", ") + describe(count);
  return text;
}

// A run that ended without getting there would have taken longer: the median is known where fewer than half
// are such. Of one that has not ended, or failed, nothing is known.
void add_convergence(const RunGroup& group, ComparisonRow& row) {
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<double> steps;
  for (const StoredRun* run : group.runs) {
    const RunSummary& summary = run->summary;
    if (summary.status != RunStatus::done && summary.status != RunStatus::diverged) continue;
    steps.push_back(summary.convergence_steps ? static_cast<double>(*summary.convergence_steps) : never);
  }
  const double middle = median(steps);
  if (middle < never) row.convergence_steps = middle;
  const RunSummary& first = group.runs.front()->summary;
  if (steps.empty() || (first.target <= 0 && first.target_loss <= 0)) return;
  const auto missed = std::count(steps.begin(), steps.end(), never);
  row.reached = concat(std::ssize(steps) - missed, "/", steps.size());
}

std::vector<LearnedValues> learned_of(const RunGroup& group) {
  std::vector<LearnedValues> runs;
  for (const StoredRun* run : group.runs)
    if (run->summary.status == RunStatus::done) runs.push_back(run->summary.learned);
  return runs;
}

}  // namespace

ComparisonRow make_row(const RunGroup& group) {
  ComparisonRow row;
  const auto estimate = [&](double RunSummary::*field, double& center, double& half_width) {
    const auto values = values_of(group, field);
    center = mean(values);
    half_width = confidence95(values);
  };
  row.activation = group.activation;
  row.values = group.values;
  row.seeds = static_cast<std::int64_t>(group.runs.size());
  for (const StoredRun* run : group.runs) row.folders.push_back(run->folder);
  estimate(&RunSummary::accuracy, row.accuracy_mean, row.accuracy_ci95);
  estimate(&RunSummary::loss, row.loss_mean, row.loss_ci95);
  row.perplexity = std::exp(row.loss_mean);
  estimate(&RunSummary::best_accuracy, row.best_accuracy_mean, row.best_accuracy_ci95);
  estimate(&RunSummary::best_loss, row.best_loss_mean, row.best_loss_ci95);
  estimate(&RunSummary::validation_accuracy, row.validation_accuracy_mean, row.validation_accuracy_ci95);
  estimate(&RunSummary::validation_loss, row.validation_loss_mean, row.validation_loss_ci95);
  add_convergence(group, row);
  row.step_seconds = median(values_of(group, &RunSummary::step_seconds));
  row.images_per_second = median(values_of(group, &RunSummary::images_per_second));
  row.tokens_per_second = median(values_of(group, &RunSummary::tokens_per_second));
  row.activation_bytes = largest(group, &RunSummary::activation_bytes);
  row.saved_bytes = largest(group, &RunSummary::saved_bytes);
  row.ffn_bytes = largest_within(group, "ffn");
  row.attention_bytes = largest_within(group, "attention");
  row.peak_bytes = largest(group, &RunSummary::peak_bytes);
  row.parameters = largest(group, &RunSummary::parameters);
  row.learned = learned_range(learned_of(group));
  row.status = status_of(group);
  return row;
}

}  // namespace actlab
