// Groups runs, computes the rows of the comparison.
#include "experiments/results/comparison.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiments/results/learned.h"
#include "experiments/results/statistics.h"
#include "kernels/error.h"

namespace actlab {
namespace {

struct Group {
  std::string activation;
  std::vector<std::string> values;
  std::vector<const StoredRun*> runs;  // one a seed
};

// Settings that may differ within a row, and what a reader should know of them.
constexpr std::pair<const char*, const char*> tolerated[] = {
    {"threads", "last bits of the accuracies may depend on it, times do"},
    {"data.root", "taken for folders of the same images"},
    {"data.file", "taken for files of the same text"}};

// Checksums of images or texts that the name of a folder or file does not fix.
constexpr const char* content = "data";
// What was computed in, which the table shows wherever it is not f32.
constexpr const char* precision = "precision";

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

std::set<std::string> values_of(const std::vector<StoredRun>& runs, const std::string& key) {
  std::set<std::string> values;
  for (const auto& run : runs) values.insert(setting_of(run, key));
  return values;
}

// Settings that change numbers and differ among the runs, activation and seed apart.
std::vector<std::string> differing_keys(const std::vector<StoredRun>& runs) {
  std::set<std::string> aside = {"model.activation", "seed", "name", "run.root", "train.checkpoint_every"};
  for (const auto& [key, meaning] : tolerated) aside.insert(key);
  std::set<std::string> keys = {"version", "selected_by", content, precision};
  for (const auto& run : runs)
    for (const auto& [key, value] : run.config) keys.insert(key);
  std::vector<std::string> differing;
  for (const auto& key : keys) {
    const auto values = values_of(runs, key);
    if (!aside.contains(key) && (values.size() > 1 || (key == precision && *values.begin() != "f32")))
      differing.push_back(key);
  }
  return differing;
}

std::string joined(const auto& texts) {
  std::string all;
  for (const auto& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

void note_differences(const std::vector<StoredRun>& runs, Comparison& comparison) {
  for (const auto& key : comparison.keys)
    if (values_of(runs, key).size() > 1)
      comparison.notes.push_back("the runs differ in " + key + ": each value has its own rows");
  const bool apart = values_of(runs, content).size() > 1;  // rows differ by what lies there
  for (const auto& [key, meaning] : tolerated)
    if (const auto values = values_of(runs, key);
        values.size() > 1 && !(apart && std::string_view(key).starts_with("data.")))
      comparison.notes.push_back(
          concat("rows mix runs that differ in ", key, " (", joined(values), "): ", meaning));
  if (values_of(runs, "selected_by").contains("validation"))
    comparison.notes.push_back(
        "where a validation split was held out it chose the best evaluation and convergence_steps; the "
        "scores "
        "are those of the test split");
}

// What the runs are judged by; where that differs, accuracy, which all of them have.
Metric common_metric(const std::vector<StoredRun>& runs) {
  const auto by_loss = [](const StoredRun& run) { return run.summary.metric == Metric::loss; };
  return std::all_of(runs.begin(), runs.end(), by_loss) ? Metric::loss : Metric::accuracy;
}

void note_metric(const std::vector<StoredRun>& runs, Comparison& comparison) {
  const std::string_view name = name_of(comparison.metric);
  if (std::any_of(runs.begin(), runs.end(),
                  [&](const StoredRun& run) { return run.summary.metric != comparison.metric; }))
    comparison.notes.push_back(concat("deltas are of the ", name,
                                      "; some of the runs chose their best evaluation by the other metric"));
  if (comparison.metric == Metric::loss)
    comparison.notes.push_back("deltas are of the loss, in nats: below 0 is better than the baseline");
}

// "gelu", "gelu with 0.1, 500": the activation and the values of the keys that differ.
std::string name_of(const Group& group) {
  return group.values.empty() ? group.activation : group.activation + " with " + joined(group.values);
}

bool newer(const StoredRun& a, const StoredRun& b) {
  if (a.summary.started != b.summary.started) return a.summary.started > b.summary.started;
  return a.folder > b.folder;
}

void add_run(Group& group, const StoredRun& run, std::vector<std::string>& notes) {
  for (const StoredRun*& other : group.runs) {
    if (other->summary.seed != run.summary.seed) continue;
    if (newer(run, *other)) other = &run;
    notes.push_back(concat(group.activation, ", seed ", run.summary.seed,
                           ": there are several runs; took the newest, ", other->folder.string()));
    return;
  }
  group.runs.push_back(&run);
}

std::vector<Group> group_runs(const std::vector<StoredRun>& runs, Comparison& comparison) {
  std::vector<Group> groups;
  for (const auto& run : runs) {
    std::vector<std::string> values;
    for (const auto& key : comparison.keys) values.push_back(setting_of(run, key));
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& other) {
      return other.activation == run.summary.activation && other.values == values;
    });
    if (group == groups.end()) group = groups.insert(group, {run.summary.activation, values, {}});
    add_run(*group, run, comparison.notes);
  }
  return groups;
}

// What rows are held against: those of one activation, or those with one value of a setting that differs.
struct Baseline {
  std::string activation;
  std::size_t key = 0;  // of Comparison::keys, where `value` is given
  std::string value;

  bool by_value() const { return !value.empty(); }
  std::string name() const { return by_value() ? value : activation; }
  bool holds(const Group& group) const {
    return by_value() ? group.values[key] == value : group.activation == activation;
  }
  // Whether the two differ in what the baseline fixes alone.
  bool matches(const Group& group, const Group& other) const {
    if (!by_value()) return group.values == other.values;
    std::vector<std::string> values = group.values;
    values[key] = value;
    return group.activation == other.activation && values == other.values;
  }
};

Baseline find_value(const std::vector<Group>& groups, const std::vector<std::string>& keys,
                    const std::string& key, const std::string& value) {
  const auto found = std::find(keys.begin(), keys.end(), key);
  if (found == keys.end())
    throw ConfigError(concat("--baseline ", key, "=", value, ": the runs do not differ in '", key, "'",
                             keys.empty() ? "" : "; they do in " + joined(keys)));
  const auto place = static_cast<std::size_t>(found - keys.begin());
  std::set<std::string> known;
  for (const auto& group : groups) known.insert(group.values[place]);
  if (!known.contains(value))
    throw ConfigError(
        concat("--baseline ", key, "=", value, ": no run has this value; there are ", joined(known)));
  return {.activation = {}, .key = place, .value = value};
}

std::string find_activation(const std::vector<Group>& groups, const std::string& wanted) {
  const std::string name = wanted.empty() ? "relu" : wanted;
  std::vector<std::string> known;
  std::set<std::string> candidates;
  for (const auto& group : groups) {
    if (group.activation == name) return name;
    if (group.activation.substr(0, group.activation.find('(')) == name) candidates.insert(group.activation);
    known.push_back(group.activation);
  }
  if (candidates.size() == 1) return *candidates.begin();
  if (wanted.empty()) return groups.front().activation;
  if (!candidates.empty())
    throw ConfigError(concat("the baseline activation '", wanted, "' may be one of: ", joined(candidates)));
  throw ConfigError(
      concat("no run has the baseline activation '", wanted, "'", nearest_names(wanted, known)));
}

Baseline find_baseline(const std::vector<Group>& groups, const std::vector<std::string>& keys,
                       const std::string& wanted) {
  const auto equals = wanted.find('=');
  if (equals != wanted.npos && wanted.find('(') == wanted.npos)
    return find_value(groups, keys, wanted.substr(0, equals), wanted.substr(equals + 1));
  return {.activation = find_activation(groups, wanted), .key = 0, .value = {}};
}

std::vector<double> values_of(const Group& group, double RunSummary::*field) {
  std::vector<double> values;
  for (const StoredRun* run : group.runs)
    if (run->summary.status == RunStatus::done && std::isfinite(run->summary.*field))
      values.push_back(run->summary.*field);
  return values;
}

std::int64_t largest(const Group& group, std::int64_t RunSummary::*field) {
  std::int64_t most = group.runs.front()->summary.*field;
  for (const StoredRun* run : group.runs) most = std::max(most, run->summary.*field);
  return most;
}

// Whether a dotted name has a component: "block1.ffn.up" has "ffn".
bool lies_within(std::string_view layer, std::string_view component) {
  return concat('.', layer, '.').find(concat('.', component, '.')) != std::string::npos;
}

std::int64_t largest_within(const Group& group, std::string_view component) {
  std::int64_t most = 0;
  for (const StoredRun* run : group.runs) {
    std::int64_t bytes = 0;
    for (const auto& [layer, saved] : run->summary.saved_bytes_by_layer)
      if (lies_within(layer, component)) bytes += saved;
    most = std::max(most, bytes);
  }
  return most;
}

std::string status_of(const Group& group) {
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

void add_convergence(const Group& group, ComparisonRow& row) {
  std::vector<double> steps;
  for (const StoredRun* run : group.runs)
    if (run->summary.convergence_steps) steps.push_back(static_cast<double>(*run->summary.convergence_steps));
  row.convergence_steps = median(steps);
  const RunSummary& first = group.runs.front()->summary;
  if (first.target > 0 || first.target_loss > 0)
    row.reached = std::to_string(steps.size()) + "/" + std::to_string(group.runs.size());
}

std::vector<LearnedValues> learned_of(const Group& group) {
  std::vector<LearnedValues> runs;
  for (const StoredRun* run : group.runs)
    if (run->summary.status == RunStatus::done) runs.push_back(run->summary.learned);
  return runs;
}

ComparisonRow make_row(const Group& group) {
  ComparisonRow row;
  const auto accuracy = values_of(group, &RunSummary::accuracy);
  const auto loss = values_of(group, &RunSummary::loss);
  row.activation = group.activation;
  row.values = group.values;
  row.seeds = static_cast<std::int64_t>(group.runs.size());
  for (const StoredRun* run : group.runs) row.folders.push_back(run->folder);
  row.accuracy_mean = mean(accuracy);
  row.accuracy_ci95 = confidence95(accuracy);
  row.loss_mean = mean(loss);
  row.loss_ci95 = confidence95(loss);
  row.perplexity = std::exp(row.loss_mean);
  row.best_accuracy_mean = mean(values_of(group, &RunSummary::best_accuracy));
  row.best_loss_mean = mean(values_of(group, &RunSummary::best_loss));
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

// The field minus the baseline's, for every seed that both have done.
std::vector<double> paired_differences(const Group& group, const Group& baseline, double RunSummary::*field) {
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

void add_deltas(const std::vector<Group>& groups, const Baseline& baseline, Comparison& comparison) {
  auto& rows = comparison.rows;
  const auto field = comparison.metric == Metric::loss ? &RunSummary::loss : &RunSummary::accuracy;
  std::vector<double> p_values(groups.size(), ComparisonRow::unknown);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const auto& other : groups) {
      if (baseline.holds(groups[i]) || !baseline.holds(other) || !baseline.matches(groups[i], other))
        continue;
      const auto differences = paired_differences(groups[i], other, field);
      if (differences.size() != groups[i].runs.size())
        comparison.notes.push_back(concat(name_of(groups[i]), ": its delta is the mean over ",
                                          differences.size(), " of ", groups[i].runs.size(),
                                          " seeds, those that ", baseline.name(), " has done too"));
      rows[i].delta = mean(differences);
      rows[i].delta_ci95 = confidence95(differences);
      p_values[i] = paired_p_value(differences);
    }
  }
  const auto corrected = holm(p_values);
  for (std::size_t i = 0; i < groups.size(); ++i) rows[i].delta_p = corrected[i];
}

}  // namespace

Comparison compare_runs(const std::vector<StoredRun>& runs, const ComparisonOptions& options) {
  if (runs.empty()) throw ConfigError("there are no runs to compare; make some with `actlab run CONFIG`");
  Comparison comparison;
  comparison.metric = options.metric.value_or(common_metric(runs));
  comparison.keys = differing_keys(runs);
  note_metric(runs, comparison);
  note_differences(runs, comparison);
  const auto groups = group_runs(runs, comparison);
  const auto chosen = find_baseline(groups, comparison.keys, options.baseline);
  for (const auto& group : groups) comparison.rows.push_back(make_row(group));
  add_deltas(groups, chosen, comparison);
  return comparison;
}

}  // namespace actlab
