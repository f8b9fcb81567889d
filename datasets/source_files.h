// Folders and files of a data set, with errors that say which set wants them and where to get them.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace actlab {

/// Of one data set; `remedy` ends every message.
class SourceFiles {
 public:
  SourceFiles(std::string dataset, std::string remedy)
      : dataset_(std::move(dataset)), remedy_(std::move(remedy)) {}

  /// Throws DataError unless it is a folder that can be looked into.
  void check_folder(const std::filesystem::path& folder) const;
  /// The file's bytes, or DataError.
  std::string read(const std::filesystem::path& path) const;
  /// Throws DataError: "cifar10: FILE: MESSAGE: REMEDY".
  [[noreturn]] void fail(const std::filesystem::path& path, const std::string& message) const;

 private:
  std::string dataset_;
  std::string remedy_;
};

}  // namespace actlab
