// Reads the runs of the arms; means over seeds.
#include "experiments/report/arm.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiments/results/statistics.h"
#include "kernels/error.h"

namespace actlab {
namespace {

// What `read` gives, or nothing and a message.
template <class Read>
auto read_or_note(Read&& read, std::vector<std::string>& messages) -> decltype(read()) {
  try {
    return read();
  } catch (const Error& error) {
    messages.push_back(concat("left out what is damaged: ", error.what()));
    return {};
  }
}

double number_of(const Record& record, std::string_view name) {
  const Cell* cell = find_cell(record, name);
  if (!cell) return not_given;
  if (const auto* integer = std::get_if<std::int64_t>(cell)) return static_cast<double>(*integer);
  const auto* number = std::get_if<double>(cell);
  return number ? *number : not_given;
}

std::string name_of(const ComparisonRow& row, const Comparison& comparison,
                    const std::vector<std::size_t>& keys) {
  std::string name = row.activation;
  for (const std::size_t key : keys) name += concat(", ", comparison.keys[key], " = ", row.values[key]);
  return name;
}

std::size_t distinct_names(const Comparison& comparison, const std::vector<std::size_t>& keys) {
  std::set<std::string> names;
  for (const ComparisonRow& row : comparison.rows) names.insert(name_of(row, comparison, keys));
  return names.size();
}

// Few keys that tell all rows apart: one after the other that which tells most apart, names of models and
// data first.
std::vector<std::size_t> naming_keys(const Comparison& comparison) {
  std::vector<std::size_t> keys;
  std::size_t told_apart = distinct_names(comparison, keys);
  while (told_apart < comparison.rows.size()) {
    std::pair<std::size_t, bool> best = {told_apart, true};
    std::size_t chosen = comparison.keys.size();
    for (std::size_t key = 0; key < comparison.keys.size(); ++key) {
      std::vector<std::size_t> with = keys;
      with.push_back(key);
      const std::pair found(distinct_names(comparison, with), comparison.keys[key].ends_with(".name"));
      if (found > best) best = found, chosen = key;
    }
    if (chosen == comparison.keys.size()) break;
    keys.push_back(chosen);
    told_apart = best.first;
  }
  return keys;
}

}  // namespace

std::vector<const ReportedRun*> Arm::done() const {
  std::vector<const ReportedRun*> chosen;
  for (const ReportedRun& run : runs)
    if (run.stored->summary.status == RunStatus::done) chosen.push_back(&run);
  return chosen;
}

std::vector<Arm> arms_of(const std::vector<StoredRun>& runs, const Comparison& comparison,
                         std::vector<std::string>& messages) {
  std::vector<Arm> arms;
  const std::vector<std::size_t> keys = naming_keys(comparison);
  for (const ComparisonRow& row : comparison.rows) {
    Arm arm{name_of(row, comparison, keys),
            look_of(static_cast<int>(arms.size())),
            {},
            row.convergence_steps,
            row.reached};
    for (const auto& path : row.folders) {
      const auto stored =
          std::find_if(runs.begin(), runs.end(), [&](const StoredRun& run) { return run.folder == path; });
      const RunFolder folder(path);
      arm.runs.push_back({&*stored, read_or_note([&] { return folder.metrics(); }, messages),
                          read_or_note([&] { return folder.environment(); }, messages)});
    }
    std::sort(arm.runs.begin(), arm.runs.end(), [](const ReportedRun& a, const ReportedRun& b) {
      return a.stored->summary.seed < b.stored->summary.seed;
    });
    arms.push_back(std::move(arm));
  }
  return arms;
}

std::vector<Point> mean_curve(const Arm& arm, std::string_view metric, double factor) {
  std::vector<const ReportedRun*> runs = arm.done();
  if (runs.empty())
    for (const ReportedRun& run : arm.runs) runs.push_back(&run);
  std::map<double, std::vector<double>> values;  // by step
  for (const ReportedRun* run : runs) {
    for (const Record& line : run->metrics) {
      const double step = number_of(line, "step"), value = number_of(line, metric);
      if (std::isfinite(step) && std::isfinite(value)) values[step].push_back(factor * value);
    }
  }
  std::vector<Point> points;
  for (const auto& [step, of_runs] : values)
    if (of_runs.size() == runs.size()) points.push_back({step, mean(of_runs), confidence95(of_runs)});
  return points;
}

}  // namespace actlab
