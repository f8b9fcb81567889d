// Whole files and checksums.
#include "framework/core/files.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <functional>
#include <vector>

#include "framework/core/sha256.h"
#include "kernels/error.h"
#include "tests/support/temporary_folder.h"

namespace actlab {
namespace {

namespace fs = std::filesystem;

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

// While it lives a file may not grow beyond `bytes`, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit = {bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  sighandler_t handler_;
  rlimit before_ = {};
};

TEST(Files, ReadWhatWasWritten) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "a.bin";
  std::string bytes(100'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 31 + i / 256);
  for (const std::string& text : {bytes, std::string(), std::string("short\n")}) {
    write_file_atomically(path, text);
    EXPECT_EQ(read_file(path), text);
  }
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"a.bin"});
}

TEST(Files, ReadFilesWithoutSize) {
  EXPECT_NE(read_file("/proc/self/status").find("Pid:"), std::string::npos);
}

TEST(Files, NameThePathAndTheReason) {
  const TemporaryFolder folder;
  const fs::path absent = folder.path() / "absent" / "a.txt";
  EXPECT_EQ(error_of([&] { read_file(absent); }),
            "cannot read " + absent.string() + ": No such file or directory");
  EXPECT_EQ(error_of([&] { write_file_atomically(absent, "x"); }),
            "cannot write " + absent.string() + ": No such file or directory");
  EXPECT_EQ(error_of([&] { read_file(folder.path()); }),
            "cannot read " + folder.path().string() + ": Is a directory");
  EXPECT_EQ(error_of([&] { sync_folder(folder.path() / "absent"); }),
            "cannot sync folder " + (folder.path() / "absent").string() + ": No such file or directory");
}

TEST(Files, AFullDiskLeavesTheOldFile) {
  const TemporaryFolder folder;
  const fs::path path = folder.path() / "state.json";
  write_file_atomically(path, "old");
  std::string message;
  {
    const FileSizeLimit limit(1000);
    message = error_of([&] { write_file_atomically(path, std::string(5000, 'x')); });
  }
  EXPECT_EQ(message, "cannot write " + path.string() + ": File too large");
  EXPECT_EQ(read_file(path), "old");
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"state.json"});
}

TEST(Files, PipesAndDevicesAreNotReplaced) {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink(pipe, folder.path() / "link");
  for (const fs::path& path : {pipe, folder.path() / "link"})
    EXPECT_EQ(error_of([&] { write_file_atomically(path, "x"); }),
              "cannot write " + path.string() + ": it is a device, pipe or socket: choose a file");
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(names_in(folder.path()).size(), 2u);
}

TEST(Files, AFolderInItsPlaceIsRefused) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "taken" / "inside");
  EXPECT_EQ(error_of([&] { write_file_atomically(folder.path() / "taken", "x"); }),
            "cannot write " + (folder.path() / "taken").string() + ": it is a folder: choose a file");
  EXPECT_EQ(names_in(folder.path()), std::vector<std::string>{"taken"});
}

TEST(Files, RelativeNamesLieInTheCurrentFolder) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  write_file_atomically("here.txt", "x");
  fs::current_path(before);
  EXPECT_EQ(read_file(folder.path() / "here.txt"), "x");
}

// Values of FIPS 180-2, appendix B.
TEST(Sha256, KnownDigests) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfAFile) {
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "abc", "abc");
  EXPECT_EQ(sha256_of_file(folder.path() / "abc"), sha256("abc"));
  EXPECT_THROW(sha256_of_file(folder.path() / "absent"), Error);
}

}  // namespace
}  // namespace actlab
