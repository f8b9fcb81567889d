// The way of a comparison: rows, baseline, verdicts.
#include "experiments/results/comparison.h"

#include <algorithm>

#include "experiments/results/comparison_baseline.h"
#include "experiments/results/comparison_groups.h"
#include "experiments/results/comparison_rates.h"
#include "experiments/results/comparison_rows.h"
#include "experiments/results/comparison_verdicts.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr const char* usual_baseline = "relu";

// What the runs are judged by; where that differs, accuracy, which all of them have.
Metric common_metric(const std::vector<StoredRun>& runs) {
  const auto by_loss = [](const StoredRun& run) { return run.summary.metric == Metric::loss; };
  return std::all_of(runs.begin(), runs.end(), by_loss) ? Metric::loss : Metric::accuracy;
}

std::vector<std::string> notes_on_score(const std::vector<StoredRun>& runs, const RunScore& score) {
  std::vector<std::string> notes;
  const auto any = [&](auto has) { return std::any_of(runs.begin(), runs.end(), has); };
  if (any([&](const StoredRun& run) { return run.summary.metric != score.metric; }))
    notes.push_back(concat("deltas are of the ", score.name,
                           "; some of the runs chose their best evaluation by the other metric"));
  if (score.of_best() && any([](const StoredRun& run) { return run.summary.selected_by == "test"; }))
    notes.push_back(
        concat(score.name,
               " is the best of several evaluations of the test split, chosen by that split itself: "
               "better than what to expect; hold out data.validation"));
  if (score.of_validation())
    notes.push_back("deltas are of the validation split, which may have served for choices before");
  if (score.metric == Metric::loss)
    notes.push_back(
        concat("deltas are of the ", score.name, ", in nats: below 0 is better than the baseline"));
  return notes;
}

// "validation": all runs held out such a split; "test": none did.
bool all_selected_by(const std::vector<StoredRun>& runs, const std::string& split) {
  return values_of(runs, "selected_by") == std::set<std::string>{split};
}

// The place of the learning rate among the keys where each activation's best is to be chosen.
std::optional<std::size_t> rate_to_choose(const std::vector<StoredRun>& runs,
                                          const ComparisonOptions& options, Comparison& comparison) {
  const auto& keys = comparison.keys;
  const auto place = std::find(keys.begin(), keys.end(), learning_rate);
  const bool apart = std::find(options.by.begin(), options.by.end(), learning_rate) != options.by.end() ||
                     options.baseline.starts_with(learning_rate + "=");
  if (place == keys.end() || apart) return {};
  if (all_selected_by(runs, "validation")) return static_cast<std::size_t>(place - keys.begin());
  const std::string reason =
      concat("not every run held out a validation split (data.validation) to choose among ", learning_rate,
             ", and the test split must not choose");
  if (!options.by.empty())
    throw ConfigError(concat("--by ", joined(options.by), ": ", reason, ": add ", learning_rate, " to --by"));
  comparison.notes.push_back(concat(reason, ": each value has its own rows"));
  return {};
}

}  // namespace

Comparison compare_runs(const std::vector<StoredRun>& runs, const ComparisonOptions& options) {
  const RunScore* asked = options.metric.empty() ? nullptr : &score_of(options.metric);
  if (runs.empty()) throw ConfigError("there are no runs to compare; make some with `actlab run CONFIG`");
  const RunScore& score = asked != nullptr ? *asked : final_score(common_metric(runs));
  if (score.of_validation() && all_selected_by(runs, "test"))
    throw ConfigError(
        concat("--metric ", score.name, ": no run held out a validation split (data.validation)"));
  Comparison comparison;
  comparison.score = score;
  comparison.keys = row_keys(runs, options.by);
  comparison.notes = notes_on_score(runs, score);
  const auto add_notes = [&](const std::vector<std::string>& notes) {
    comparison.notes.insert(comparison.notes.end(), notes.begin(), notes.end());
  };
  const auto rate = rate_to_choose(runs, options, comparison);
  add_notes(notes_on_settings(runs, comparison.keys, learning_rate));
  auto groups = group_runs(runs, comparison.keys, comparison.notes);
  if (rate) add_notes(keep_best_rates(groups, *rate, score.metric));
  comparison.chosen_by_validation = rate.has_value();
  const auto baseline = find_baseline(groups, comparison.keys, options.baseline, usual_baseline);
  for (const auto& group : groups) comparison.rows.push_back(make_row(group));
  const double smallest = options.smallest_difference.value_or(score.metric == Metric::loss ? 0.02 : 0.5);
  add_verdicts(groups, baseline, rate, score, smallest, comparison);
  return comparison;
}

}  // namespace actlab
