// Chooses among learning rates.
#include "experiments/results/comparison_rates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "experiments/results/run_score.h"
#include "experiments/results/statistics.h"
#include "kernels/error.h"

namespace actlab {
namespace {

using Family = std::vector<RunGroup>;  // alike but for the rate, by its size

bool alike(const RunGroup& a, RunGroup b, std::size_t place) {
  b.values[place] = a.values[place];
  return a.activation == b.activation && a.values == b.values;
}

std::vector<Family> families_of(const std::vector<RunGroup>& groups, std::size_t place) {
  std::vector<Family> families;
  for (const auto& group : groups) {
    const auto found = std::find_if(families.begin(), families.end(), [&](const Family& family) {
      return alike(family.front(), group, place);
    });
    (found == families.end() ? families.emplace_back() : *found).push_back(group);
  }
  for (Family& family : families)
    std::stable_sort(family.begin(), family.end(), [&](const RunGroup& a, const RunGroup& b) {
      return number_in(a.values[place]) < number_in(b.values[place]);
    });
  return families;
}

// Greater is better: first whether all runs are done, then the mean score.
std::pair<bool, double> standing(const RunGroup& group, const RunScore& score) {
  const bool done = std::all_of(group.runs.begin(), group.runs.end(),
                                [](const StoredRun* run) { return run->summary.status == RunStatus::done; });
  const double center = mean(values_of(group, score.field));
  if (std::isnan(center)) return {done, -std::numeric_limits<double>::infinity()};
  return {done, score.metric == Metric::loss ? -center : center};
}

std::set<std::int64_t> seeds_of(const RunGroup& group) {
  std::set<std::int64_t> seeds;
  for (const StoredRun* run : group.runs) seeds.insert(run->summary.seed);
  return seeds;
}

}  // namespace

std::vector<std::string> keep_best_rates(std::vector<RunGroup>& groups, std::size_t place, Metric metric) {
  const RunScore& score = validation_score(metric);
  std::vector<std::string> chosen, at_end, uneven;
  std::vector<RunGroup> kept;
  for (const Family& family : families_of(groups, place)) {
    const auto best = std::max_element(
        family.begin(), family.end(),
        [&](const RunGroup& a, const RunGroup& b) { return standing(a, score) < standing(b, score); });
    std::vector<std::string> rates;
    for (const auto& group : family) rates.push_back(group.values[place]);
    chosen.push_back(concat(name_of(*best), " (of ", joined(rates), ")"));
    if (best == family.begin() || best + 1 == family.end()) at_end.push_back(name_of(*best));
    if (std::any_of(family.begin(), family.end(),
                    [&](const RunGroup& group) { return seeds_of(group) != seeds_of(family.front()); }))
      uneven.push_back(concat(best->activation,
                              ": its learning rates were tried with different seeds, which the "
                              "choice among them does not know"));
    kept.push_back(*best);
  }
  groups = std::move(kept);
  std::vector<std::string> notes = std::move(uneven);
  notes.insert(notes.begin(),
               concat("of several learning rates each activation's best by ", score.name,
                      " is compared: ", joined(chosen), "; --by ", learning_rate, " shows all"));
  if (!at_end.empty())
    notes.push_back(concat("the chosen rate is the least or the greatest that was tried: ", joined(at_end),
                           "; a wider sweep may change the order"));
  return notes;
}

}  // namespace actlab
