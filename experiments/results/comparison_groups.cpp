// Which settings make rows, and which runs share one.
#include "experiments/results/comparison_groups.h"

#include <algorithm>
#include <cmath>

#include "experiments/results/comparison_rates.h"
#include "kernels/error.h"

namespace actlab {
namespace {

// Settings that may differ within a row, and what a reader should know of them.
constexpr std::pair<const char*, const char*> tolerated[] = {
    {"threads", "last bits of the accuracies may depend on it, times do"},
    {"data.root", "taken for folders of the same images"},
    {"data.file", "taken for files of the same text"}};

// Checksums of images or texts that the name of a folder or file does not fix.
const std::string content = "data";
// What was computed in, which the table shows wherever it is not f32.
const std::string precision = "precision";
const std::string activation = "model.activation";

bool contains(const std::vector<std::string>& keys, const std::string& key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

std::string setting_of(const StoredRun& run, const std::string& key) {
  if (key == "version") return run.summary.version;
  if (key == "selected_by") return run.summary.selected_by;
  if (key == precision) return run.summary.precision;
  if (key == content) return run.summary.data.empty() ? "-" : run.summary.data.substr(0, 8);
  const auto found = run.config.find(key);
  if (found != run.config.end()) return found->second;
  const bool later = key == "data.validation" || key == "train.target_loss";
  return later ? "0" : "-";  // older programs held nothing out and knew one target
}

std::set<std::string> known_keys(const std::vector<StoredRun>& runs) {
  std::set<std::string> keys = {"version", "selected_by", content, precision};
  for (const auto& run : runs)
    for (const auto& [key, value] : run.config) keys.insert(key);
  return keys;
}

// Settings that change numbers and differ among the runs, activation and seed apart.
std::vector<std::string> differing_keys(const std::vector<StoredRun>& runs) {
  std::set<std::string> aside = {activation, "seed", "name", "run.root", "train.checkpoint_every"};
  for (const auto& [key, meaning] : tolerated) aside.insert(key);
  std::vector<std::string> differing;
  for (const auto& key : known_keys(runs)) {
    const auto values = values_of(runs, key);
    if (!aside.contains(key) && (values.size() > 1 || (key == precision && *values.begin() != "f32")))
      differing.push_back(key);
  }
  return differing;
}

bool newer(const StoredRun& a, const StoredRun& b) {
  if (a.summary.started != b.summary.started) return a.summary.started > b.summary.started;
  return a.folder > b.folder;
}

void add_run(RunGroup& group, const StoredRun& run, std::vector<std::string>& notes) {
  for (const StoredRun*& other : group.runs) {
    if (other->summary.seed != run.summary.seed) continue;
    const bool done = run.summary.status == RunStatus::done,
               other_done = other->summary.status == RunStatus::done;
    if (done != other_done ? done : newer(run, *other)) other = &run;
    notes.push_back(
        concat(group.activation, ", seed ", run.summary.seed, ": there are several runs; took the newest",
               other->summary.status == RunStatus::done ? " that is done, " : ", ", other->folder.string()));
    return;
  }
  group.runs.push_back(&run);
}

}  // namespace

std::string name_of(const RunGroup& group) {
  return group.values.empty() ? group.activation : group.activation + " with " + joined(group.values);
}

std::vector<double> values_of(const RunGroup& group, double RunSummary::*field) {
  std::vector<double> values;
  for (const StoredRun* run : group.runs)
    if (run->summary.status == RunStatus::done && std::isfinite(run->summary.*field))
      values.push_back(run->summary.*field);
  return values;
}

std::set<std::string> values_of(const std::vector<StoredRun>& runs, const std::string& key) {
  std::set<std::string> values;
  for (const auto& run : runs) values.insert(setting_of(run, key));
  return values;
}

std::vector<std::string> row_keys(const std::vector<StoredRun>& runs, const std::vector<std::string>& by) {
  const auto differing = differing_keys(runs);
  if (by.empty()) return differing;
  const auto known = known_keys(runs);
  std::vector<std::string> keys;
  for (const auto& key : by) {
    if (key == "activation" || key == activation) continue;
    if (!known.contains(key))
      throw ConfigError(concat("--by ", key, ": no run has this setting",
                               nearest_names(key, {known.begin(), known.end()})));
    if (!contains(keys, key)) keys.push_back(key);
  }
  std::vector<std::string> averaged;
  for (const auto& key : differing) {
    if (contains(keys, key)) continue;
    const auto values = values_of(runs, key);
    if (key == learning_rate || values.size() == 1) {
      keys.push_back(key);
    } else {
      averaged.push_back(concat(key, " (", joined(values), ")"));
    }
  }
  constexpr std::size_t most_named = 5;
  if (averaged.size() > most_named) {
    const std::size_t more = averaged.size() - most_named;
    averaged.resize(most_named);
    averaged.push_back(concat(more, " more"));
  }
  if (!averaged.empty())
    throw ConfigError(concat("--by ", joined(by), ": the runs differ in ", joined(averaged),
                             " too, and different experiments are not averaged: add to --by, or name fewer "
                             "folders"));
  return keys;
}

std::vector<RunGroup> group_runs(const std::vector<StoredRun>& runs, const std::vector<std::string>& keys,
                                 std::vector<std::string>& notes) {
  std::vector<RunGroup> groups;
  for (const auto& run : runs) {
    std::vector<std::string> values;
    for (const auto& key : keys) values.push_back(setting_of(run, key));
    auto group = std::find_if(groups.begin(), groups.end(), [&](const RunGroup& other) {
      return other.activation == run.summary.activation && other.values == values;
    });
    if (group == groups.end()) group = groups.insert(group, {run.summary.activation, values, {}});
    add_run(*group, run, notes);
  }
  return groups;
}

std::vector<std::string> notes_on_settings(const std::vector<StoredRun>& runs,
                                           const std::vector<std::string>& keys, const std::string& chosen) {
  std::vector<std::string> notes;
  for (const auto& key : keys)
    if (key != chosen && values_of(runs, key).size() > 1)
      notes.push_back("the runs differ in " + key + ": each value has its own rows");
  const bool apart = values_of(runs, content).size() > 1;  // rows differ by what lies there
  for (const auto& [key, meaning] : tolerated)
    if (const auto values = values_of(runs, key);
        values.size() > 1 && !contains(keys, key) && !(apart && std::string_view(key).starts_with("data.")))
      notes.push_back(concat("rows mix runs that differ in ", key, " (", joined(values), "): ", meaning));
  if (values_of(runs, "selected_by").contains("validation"))
    notes.push_back(
        "where a validation split was held out it chose the best evaluation and convergence_steps; the "
        "scores are those of the test split");
  return notes;
}

}  // namespace actlab
