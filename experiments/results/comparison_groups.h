// The runs of one activation and the same settings, a seed each: what becomes a row of a comparison.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "experiments/results/run_folder.h"

namespace actlab {

struct RunGroup {
  std::string activation;
  std::vector<std::string> values;     ///< of the keys that make rows
  std::vector<const StoredRun*> runs;  ///< one a seed
};

/// "gelu", "gelu with 0.1, 500".
std::string name_of(const RunGroup& group);

/// A field of the runs that are done, where it is known.
std::vector<double> values_of(const RunGroup& group, double RunSummary::*field);
/// The values of a setting among runs, in order; "-" where one has none. "version", "selected_by",
/// "precision" and "data", the checksum of the data, are settings too.
std::set<std::string> values_of(const std::vector<StoredRun>& runs, const std::string& key);

/// The settings that make rows beside the activation. Without `by` all that change numbers and differ among
/// the runs; else those of `by`, and the learning rate where it differs. Throws ConfigError for a setting
/// that no run has, and where the runs differ in others, since different experiments are not averaged.
std::vector<std::string> row_keys(const std::vector<StoredRun>& runs, const std::vector<std::string>& by);

/// In order of appearance. Of several runs of one job the newest counts, as `notes` then say.
std::vector<RunGroup> group_runs(const std::vector<StoredRun>& runs, const std::vector<std::string>& keys,
                                 std::vector<std::string>& notes);

/// What a reader should know of settings that differ, within rows or among them; `chosen` is a key that is
/// spoken of elsewhere.
std::vector<std::string> notes_on_settings(const std::vector<StoredRun>& runs,
                                           const std::vector<std::string>& keys, const std::string& chosen);

/// "a, b".
std::string joined(const auto& texts) {
  std::string all;
  for (const auto& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all;
}

}  // namespace actlab
