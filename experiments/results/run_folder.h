// The folder of a run: created once, never overwritten, found again by what it holds.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/config/experiment.h"
#include "experiments/results/record.h"
#include "experiments/results/run_record.h"

namespace actlab {

/// ROOT/NAME/STAMP-ACTIVATION-sSEED-ID/ with config.toml, environment.json, metrics.jsonl, summary.json,
/// checkpoints/ and the files of its data. What cannot be written throws Error with the path, the reason and
/// the remedy.
class RunFolder {
 public:
  /// Makes ROOT/NAME where it is not there, and returns it; throws as create does.
  static std::filesystem::path prepare(const Experiment& experiment);
  /// A new folder with its config.toml, apart from every other even within one second; ROOT/NAME/latest leads
  /// to it.
  static RunFolder create(const Experiment& experiment, const std::string& id);
  /// An existing one.
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "config.toml"; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }

  /// Writes a file that the run's data gives: RUN/NAME.
  void write(const std::string& name, std::string_view content) const;
  void write_environment(const Record& environment) const;
  /// Empty without the file.
  Record environment() const;
  /// Appends one line, which is on the disk when this returns.
  void append_metrics(const Record& line) const;
  /// The lines so far; a torn last one is left out.
  std::vector<Record> metrics() const;
  /// Drops the lines whose `step` lies beyond `step`, and a torn one: what a resumed run writes again.
  /// Returns how many others it drops because they are damaged.
  std::int64_t rewind_metrics(std::int64_t step) const;
  /// Removes what a killed process left half-written.
  void clear_leftovers() const;
  /// Replaces summary.json in one piece.
  void write_summary(const RunSummary& summary) const;
  /// Throws Error with the file and the field for a missing or damaged one.
  RunSummary summary() const;

 private:
  std::filesystem::path path_;
};

/// Held by the process that trains into a run folder; the system takes it back when the process ends, in
/// whatever way.
class RunLock {
 public:
  /// Nothing where another process holds it. Where the file system has no locks all are free.
  static std::optional<RunLock> take(const std::filesystem::path& run);
  /// Waits until it is free.
  static RunLock wait(const std::filesystem::path& folder);

  RunLock(RunLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  RunLock& operator=(RunLock&&) = delete;
  ~RunLock();

 private:
  explicit RunLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;  // of the folder; -1: none
};

/// A run as comparisons see it; one that says it is running and whose process has ended is interrupted.
struct StoredRun {
  std::filesystem::path folder;
  RunSummary summary;
  std::map<std::string, std::string> config;  ///< "optimizer.lr" -> "0.05"
};

struct FoundRuns {
  std::vector<StoredRun> runs;        ///< ordered by folder
  std::vector<std::string> messages;  ///< one for each torn run that was passed over
};

/// Every run in or below the folders. Throws ConfigError for a path that is no folder.
FoundRuns find_runs(const std::vector<std::filesystem::path>& paths);

/// The runs of a job below `root`, the newest first; torn ones are left out.
std::vector<StoredRun> runs_of_job(const std::filesystem::path& root, const std::string& id);

/// Now, UTC: "2024-05-01T12:00:00Z".
std::string utc_now();

}  // namespace actlab
