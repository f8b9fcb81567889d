// The folders of runs that a test has made.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

namespace actlab {

/// What lies in the folder of an experiment, but for the link to the latest run; by name.
inline std::vector<std::filesystem::path> run_folders_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (!entry.is_symlink()) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace actlab
