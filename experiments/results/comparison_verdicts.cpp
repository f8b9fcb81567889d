// Paired differences, their test, and what they allow to say.
#include "experiments/results/comparison_verdicts.h"

#include <algorithm>
#include <cmath>

#include "experiments/results/statistics.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr double level = 0.05;
constexpr double power = 0.8;

// The score minus the baseline's, for every seed that both have done.
std::vector<double> paired_differences(const RunGroup& group, const RunGroup& baseline,
                                       double RunSummary::*field) {
  std::vector<double> differences;
  for (const StoredRun* run : group.runs) {
    for (const StoredRun* other : baseline.runs) {
      const bool both_done =
          run->summary.status == RunStatus::done && other->summary.status == RunStatus::done;
      const double difference = run->summary.*field - other->summary.*field;
      if (both_done && run->summary.seed == other->summary.seed && std::isfinite(difference))
        differences.push_back(difference);
    }
  }
  return differences;
}

// What a row and its baseline's have in common.
struct Pairing {
  std::size_t row;
  std::int64_t seeds;  // of the row
  std::vector<double> differences;
};

// Pairs that would show the smallest difference that counts, at the level of Holm's first step, so that the
// power holds whatever the other rows show. One pair has no spread: then at one as large as the difference.
std::int64_t pairs_wanted(const Pairing& pairing, double smallest, std::size_t comparisons) {
  const double deviation = pairing.differences.size() < 2 ? smallest : paired_deviation(pairing.differences);
  return needed_pairs(smallest, deviation, level / static_cast<double>(comparisons), power);
}

std::string verdict_of(const Pairing& pairing, double p, Metric metric, std::int64_t wanted) {
  const auto pairs = std::ssize(pairing.differences);
  if (pairs == 0) return "nothing to compare";
  const std::string share =
      pairs == pairing.seeds ? "" : concat(" (", pairs, " of ", pairing.seeds, " seeds)");
  if (p < level) {
    const bool more = mean(pairing.differences) > 0;
    return (more == (metric == Metric::accuracy) ? "better" : "worse") + share;
  }
  if (pairs >= wanted) return "no difference shown" + share;
  if (wanted >= most_pairs) return concat("too few seeds: needs more than ", most_pairs - 1);
  return concat("too few seeds: needs about ", wanted);
}

}  // namespace

void add_verdicts(const std::vector<RunGroup>& groups, const Baseline& baseline,
                  std::optional<std::size_t> chosen, const RunScore& score, double smallest_difference,
                  Comparison& comparison) {
  const bool loss = score.metric == Metric::loss;
  const double smallest = loss ? smallest_difference : smallest_difference / 100;
  auto& rows = comparison.rows;
  std::vector<Pairing> pairings;
  std::vector<double> p_values;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (baseline.holds(groups[i])) {
      rows[i].verdict = "baseline";
      continue;
    }
    const RunGroup* other = partner_of(groups[i], groups, baseline, chosen);
    if (other == nullptr) continue;
    Pairing pairing{i, std::ssize(groups[i].runs), paired_differences(groups[i], *other, score.field)};
    if (std::ssize(pairing.differences) != pairing.seeds)
      comparison.notes.push_back(concat(name_of(groups[i]), ": its delta is the mean over ",
                                        pairing.differences.size(), " of ", pairing.seeds,
                                        " seeds, those that ", baseline.name(), " has done too"));
    rows[i].delta = mean(pairing.differences);
    rows[i].delta_ci95 = confidence95(pairing.differences);
    rows[i].effect = paired_effect(pairing.differences);
    p_values.push_back(paired_p_value(pairing.differences));
    pairings.push_back(std::move(pairing));
  }
  const auto corrected = holm(p_values);
  const auto compared = static_cast<std::size_t>(std::count_if(
      pairings.begin(), pairings.end(), [](const Pairing& pairing) { return !pairing.differences.empty(); }));
  bool too_few = false;
  for (std::size_t k = 0; k < pairings.size(); ++k) {
    ComparisonRow& row = rows[pairings[k].row];
    const auto wanted = pairs_wanted(pairings[k], smallest, compared);
    row.delta_p = corrected[k];
    row.verdict = verdict_of(pairings[k], corrected[k], score.metric, wanted);
    too_few = too_few || row.verdict.starts_with("too few");
  }
  if (!too_few) return;
  comparison.notes.push_back(concat("too few seeds: as many as the verdict says would show a difference of ",
                                    smallest_difference, loss ? " nats" : " points",
                                    " (--difference) with 80 % power"));
}

}  // namespace actlab
