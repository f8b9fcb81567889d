// Errors of a data set's files.
#include "datasets/source_files.h"

#include <system_error>

#include "framework/core/files.h"
#include "kernels/error.h"

namespace actlab {

void SourceFiles::check_folder(const std::filesystem::path& folder) const {
  std::error_code error;
  if (std::filesystem::is_directory(folder, error)) return;
  if (!error) error = std::make_error_code(std::errc::not_a_directory);
  fail(folder, "cannot open the folder: " + error.message());
}

std::string SourceFiles::read(const std::filesystem::path& path) const {
  try {
    return read_file(path);
  } catch (const Error& error) {
    throw DataError(concat(dataset_, ": ", error.what(), ": ", remedy_));
  }
}

void SourceFiles::fail(const std::filesystem::path& path, const std::string& message) const {
  throw DataError(concat(dataset_, ": ", path.string(), ": ", message, ": ", remedy_));
}

}  // namespace actlab
