// Finds run folders on disk.
#include <algorithm>

#include "experiments/config/setting.h"
#include "experiments/results/run_folder.h"
#include "kernels/error.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

bool is_run(const fs::path& folder) {
  std::error_code ignored;
  return fs::exists(folder / "summary.json", ignored) ||
         (fs::exists(folder / "config.toml", ignored) && fs::exists(folder / "metrics.jsonl", ignored));
}

// Run folders in or below a folder, in order; what lies inside a run folder is its own affair.
std::vector<fs::path> run_folders(const fs::path& root) {
  std::vector<fs::path> folders;
  if (is_run(root)) return {root};
  std::error_code error;
  fs::recursive_directory_iterator entry(root, fs::directory_options::skip_permission_denied, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code ignored;
    if (entry->is_symlink(ignored) || !entry->is_directory(ignored) || !is_run(entry->path())) continue;
    folders.push_back(entry->path());
    entry.disable_recursion_pending();
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

// Of a run that says it is running and is locked by nobody it says that it is interrupted.
RunSummary current_summary(const RunFolder& folder) {
  RunSummary summary = folder.summary();
  if (summary.status != RunStatus::running) return summary;
  const auto lock = RunLock::take(folder.path());
  if (!lock) return summary;
  summary = folder.summary();  // its process may have ended just now
  if (summary.status == RunStatus::running) summary.status = RunStatus::interrupted;
  return summary;
}

StoredRun read_run(const fs::path& path) {
  const RunFolder folder(path);
  StoredRun run{path, current_summary(folder), {}};
  for (const auto& setting : read_toml(folder.config()).settings)
    if (const auto* value = std::get_if<OptionValue>(&setting.value))
      run.config[setting.path] = to_string(*value);
  return run;
}

}  // namespace

FoundRuns find_runs(const std::vector<fs::path>& paths) {
  FoundRuns found;
  std::vector<fs::path> folders;
  for (const auto& path : paths) {
    if (!fs::is_directory(path)) throw ConfigError(concat(path.string(), ": no such folder of runs"));
    for (auto& folder : run_folders(path)) folders.push_back(fs::weakly_canonical(folder));
  }
  std::sort(folders.begin(), folders.end());
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  for (const auto& folder : folders) {
    try {
      found.runs.push_back(read_run(folder));
    } catch (const Error& error) {
      found.messages.push_back(concat("passed over a damaged run: ", error.what()));
    }
  }
  return found;
}

std::vector<StoredRun> runs_of_job(const fs::path& root, const std::string& id) {
  std::vector<StoredRun> runs;
  for (const auto& path : run_folders(root)) {
    if (path.filename().string().find("-" + id) == std::string::npos) continue;
    try {
      if (StoredRun run = read_run(path); run.summary.id == id) runs.push_back(std::move(run));
    } catch (const Error&) {
      // A torn run is none of the job's.
    }
  }
  std::stable_sort(runs.begin(), runs.end(), [](const StoredRun& a, const StoredRun& b) {
    return a.summary.started > b.summary.started;
  });
  return runs;
}

}  // namespace actlab
