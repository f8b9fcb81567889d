// Everything is put together in a temporary folder beside the target, which appears by one renaming.
#include "datasets/download/fetch.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "datasets/download/download.h"
#include "datasets/download/unpack.h"
#include "framework/core/sha256.h"
#include "kernels/error.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

// Those folders of a path that do not exist yet: removed in the end, the deepest first, unless they are kept
// or hold something.
class NewFolders {
 public:
  explicit NewFolders(const fs::path& path) {
    for (fs::path folder = path; !folder.empty() && !fs::exists(folder); folder = folder.parent_path())
      new_.push_back(folder);
  }
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders() {
    std::error_code ignored;
    for (const fs::path& folder : new_) fs::remove(folder, ignored);
  }
  void keep() { new_.clear(); }

 private:
  std::vector<fs::path> new_;
};

// Removed with all that is in it.
class ScratchFolder {
 public:
  explicit ScratchFolder(fs::path path) : path_(std::move(path)) {
    fs::remove_all(path_);  // of a process of the same number that was killed
    fs::create_directory(path_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

void check_url(const std::string& url) {
  constexpr std::array<std::string_view, 3> schemes = {"http://", "https://", "file://"};
  if (std::none_of(schemes.begin(), schemes.end(), [&](std::string_view s) { return url.starts_with(s); }))
    throw ConfigError(concat("'", url, "' is no URL to fetch: wanted http://, https:// or file:///PATH"));
}

void fetch_into(const DataSource& source, const fs::path& target, const FetchProgress& progress) {
  const fs::path parent = target.has_parent_path() ? target.parent_path() : ".";
  NewFolders new_folders(parent);
  fs::create_directories(parent);
  const ScratchFolder scratch(target.string() + concat(".", ::getpid(), ".tmp"));
  const fs::path archive = scratch.path() / "archive", unpacked = scratch.path() / source.folder;
  download(source.url, archive, progress);
  const std::string found = sha256_of_file(archive);
  ACTLAB_CHECK(found == source.sha256, "its sha256 is ", found, ", not ", source.sha256,
               ": another file, or damaged on its way");
  fs::create_directory(unpacked);
  unpack(archive, source.folder, source.files, unpacked);
  ACTLAB_CHECK(progress(0, 0), "ended before it was in place");
  fs::rename(unpacked, target);
  new_folders.keep();
}

}  // namespace

fs::path fetch_archive(const DataSource& source, const fs::path& to, const FetchProgress& progress) {
  check_url(source.url);
  const fs::path target = (to / source.folder).lexically_normal();
  if (std::error_code ignored; fs::exists(fs::symlink_status(target, ignored)))
    throw ConfigError(
        concat(target.string(), " is there already: remove it to fetch it again, or pass --to DIR"));
  const auto fail = [&](const std::string& reason) {
    throw DataError(
        concat(source.dataset, ": cannot fetch ", source.url, ": ", reason,
               ": check the network, the proxy (https_proxy) and the disk, name a mirror by --url, or "
               "unpack the archive yourself to ",
               target.string()));
  };
  try {
    fetch_into(source, target, progress);
  } catch (const fs::filesystem_error& error) {
    fail(concat(error.path1().string(), ": ", error.code().message()));
  } catch (const Error& error) {
    fail(error.what());
  }
  return target;
}

}  // namespace actlab
