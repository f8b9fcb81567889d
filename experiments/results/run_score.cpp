// The names of scores, and where a run holds them.
#include "experiments/results/run_score.h"

#include <algorithm>
#include <array>

#include "kernels/error.h"

namespace actlab {
namespace {

using Run = RunSummary;

constexpr std::array all = {
    RunScore{"accuracy", Metric::accuracy, &Run::accuracy},
    RunScore{"loss", Metric::loss, &Run::loss},
    RunScore{"best_accuracy", Metric::accuracy, &Run::best_accuracy},
    RunScore{"best_loss", Metric::loss, &Run::best_loss},
    RunScore{"validation_accuracy", Metric::accuracy, &Run::validation_accuracy},
    RunScore{"validation_loss", Metric::loss, &Run::validation_loss},
};

}  // namespace

std::vector<std::string> score_names() {
  std::vector<std::string> names;
  for (const RunScore& score : all) names.emplace_back(score.name);
  return names;
}

const RunScore& score_of(std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const RunScore& s) { return s.name == name; });
  if (found == all.end())
    throw ConfigError(concat("unknown metric '", name, "'", nearest_names(name, score_names())));
  return *found;
}

const RunScore& final_score(Metric metric) { return score_of(name_of(metric)); }

const RunScore& validation_score(Metric metric) { return score_of(concat("validation_", name_of(metric))); }

}  // namespace actlab
