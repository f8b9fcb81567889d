// Files by POSIX calls: the standard streams can neither sync nor say why they failed.
#include "framework/core/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "kernels/error.h"

namespace actlab {
namespace {

class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags)
      : fd_(::open(path.c_str(), flags | O_CLOEXEC, 0666)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  bool is_open() const { return fd_ >= 0; }
  int get() const { return fd_; }
  /// 0, or -1 with errno: a network file system reports a failed write only here.
  int close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

[[noreturn]] void fail(std::string_view action, const std::filesystem::path& path, int error) {
  throw Error(concat("cannot ", action, " ", path.string(), ": ", std::generic_category().message(error)));
}

// Returns 0 or an errno; `mode` is O_TRUNC or O_APPEND.
int write_synced(const std::filesystem::path& path, std::string_view text, int mode) {
  Descriptor file(path, O_WRONLY | O_CREAT | mode);
  if (!file.is_open()) return errno;
  while (!text.empty()) {
    const ssize_t n = ::write(file.get(), text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return ::fsync(file.get()) != 0 || file.close() != 0 ? errno : 0;
}

// Names of different processes and threads differ; a leftover of a killed process is overwritten.
std::filesystem::path temporary_beside(const std::filesystem::path& path) {
  static std::atomic<int> counter = 0;
  return concat(path.string(), ".", ::getpid(), ".", counter++, ".tmp");
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  const Descriptor file(path, O_RDONLY);
  struct stat status = {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) fail("read", path, errno);
  std::string text(static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)) + 1, '\0');
  std::size_t size = 0;
  while (true) {
    const ssize_t n = ::read(file.get(), text.data() + size, text.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read", path, errno);
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
    if (size == text.size()) text.resize(2 * size);  // it grew, or is a pipe without a size
  }
  text.resize(size);
  return text;
}

void write_file_atomically(const std::filesystem::path& path, std::string_view text) {
  // The renaming below would put a file in the place of a device or a pipe, /dev/null included.
  std::error_code ignored;
  ACTLAB_CHECK(!std::filesystem::is_other(path, ignored), "cannot write ", path.string(),
               ": it is a device, pipe or socket: choose a file");
  ACTLAB_CHECK(!std::filesystem::is_directory(path, ignored), "cannot write ", path.string(),
               ": it is a folder: choose a file");
  const std::filesystem::path temporary = temporary_beside(path);
  int error = write_synced(temporary, text, O_TRUNC);
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail("write", path, error);
  }
  sync_folder(path.parent_path());
}

void append_to_file(const std::filesystem::path& path, std::string_view text) {
  if (const int error = write_synced(path, text, O_APPEND); error != 0) fail("write", path, error);
}

void sync_folder(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder.empty() ? "." : folder;
  const Descriptor descriptor(path, O_RDONLY | O_DIRECTORY);
  if (!descriptor.is_open()) fail("sync folder", path, errno);
  // EINVAL: the file system has nothing to sync.
  if (::fsync(descriptor.get()) != 0 && errno != EINVAL) fail("sync folder", path, errno);
}

}  // namespace actlab
