// Where data sets can be fetched from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace actlab {

/// An archive (.tar.gz) that holds one folder with a set's files.
struct DataSource {
  std::string dataset;             ///< its name among the data sets
  std::string url;                 ///< http://, https:// or file://
  std::string sha256;              ///< of the archive
  std::string folder;              ///< the archive's only folder
  std::vector<std::string> files;  ///< in that folder: all of them, and nothing else
};

/// One a data set at most.
const std::vector<DataSource>& data_sources();

/// Hears of bytes that have come, of a total (0 where it is not known); false ends the fetch.
using FetchProgress = std::function<bool(std::int64_t bytes, std::int64_t total)>;

/// Downloads the archive, checks its sha256, unpacks it, and moves its folder to `to`, which is made where it
/// is absent; returns the folder's path. A fetch that fails leaves nothing behind. Throws DataError saying
/// what went wrong and what to do, ConfigError for an unusable URL, an existing target, or a build without
/// the libraries.
std::filesystem::path fetch(const DataSource& source, const std::filesystem::path& to,
                            const FetchProgress& progress);

}  // namespace actlab
