// Unpacks by libarchive. Names in the archive are only compared with those that are expected, never used as
// paths: an absolute one, one with "..", or a link has nowhere to go.
#include "datasets/download/unpack.h"

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <system_error>

#include "kernels/error.h"

namespace actlab {
namespace {

// The library has none where a compressed archive lacks its last bytes.
std::string reason_of(archive* in) {
  const char* reason = archive_error_string(in);
  return reason == nullptr || *reason == '\0' ? "it is truncated or damaged" : reason;
}

void write_entry(archive* in, const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  ACTLAB_CHECK(file >= 0, "cannot write ", path.string(), ": ", std::generic_category().message(errno));
  const int result = archive_read_data_into_fd(in, file);
  const int close_error = ::close(file) != 0 ? errno : 0;
  ACTLAB_CHECK(result == ARCHIVE_OK, "cannot unpack ", path.filename().string(), ": ", reason_of(in));
  ACTLAB_CHECK(close_error == 0, "cannot write ", path.string(), ": ",
               std::generic_category().message(close_error));
}

// Where in `names` an entry stands, or the end: a file of that name, and nothing that points elsewhere.
auto find_name(archive_entry* entry, const std::string& path, const std::string& folder,
               std::vector<std::string>& names) {
  const bool plain_file =
      archive_entry_filetype(entry) == AE_IFREG && archive_entry_hardlink(entry) == nullptr;
  return plain_file ? std::find_if(names.begin(), names.end(),
                                   [&](const std::string& name) { return path == folder + "/" + name; })
                    : names.end();
}

}  // namespace

void unpack(const std::filesystem::path& archive_path, const std::string& folder,
            std::vector<std::string> names, const std::filesystem::path& to) {
  const std::unique_ptr<archive, int (*)(archive*)> in(archive_read_new(), archive_read_free);
  ACTLAB_CHECK(in != nullptr, "libarchive does not start");
  archive_read_support_filter_gzip(in.get());
  archive_read_support_format_tar(in.get());
  constexpr std::size_t block = 1 << 16;
  archive_entry* entry = nullptr;
  int result = archive_read_open_filename(in.get(), archive_path.c_str(), block);
  while (result == ARCHIVE_OK && (result = archive_read_next_header(in.get(), &entry)) == ARCHIVE_OK) {
    const char* stored = archive_entry_pathname(entry);
    std::string path = stored == nullptr ? "" : stored;
    if (path.starts_with("./")) path.erase(0, 2);
    if (archive_entry_filetype(entry) == AE_IFDIR && (path == folder || path == folder + "/")) continue;
    const auto name = find_name(entry, path, folder, names);
    ACTLAB_CHECK(name != names.end(), "the archive holds '", path, "', which is not expected in it");
    write_entry(in.get(), to / *name);
    names.erase(name);
  }
  ACTLAB_CHECK(result == ARCHIVE_EOF, "cannot read the archive: ", reason_of(in.get()));
  ACTLAB_CHECK(names.empty(), "the archive lacks ", folder, "/", names.empty() ? "" : names.front());
}

}  // namespace actlab
