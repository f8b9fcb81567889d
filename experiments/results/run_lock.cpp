// Locks run folders by flock(2), which a process cannot forget to release.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "experiments/results/run_folder.h"
#include "kernels/error.h"

namespace actlab {
namespace {

int opened(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0)
    throw Error(concat(folder.string(), ": cannot be locked: ", std::generic_category().message(errno)));
  return descriptor;
}

}  // namespace

std::optional<RunLock> RunLock::take(const std::filesystem::path& run) {
  RunLock lock(opened(run));
  // Who only looks whether a folder is locked holds its lock for a moment.
  constexpr int tries = 10;
  for (int i = 0; i < tries; ++i) {
    if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return lock;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return std::nullopt;
}

RunLock RunLock::wait(const std::filesystem::path& folder) {
  RunLock lock(opened(folder));
  while (::flock(lock.descriptor_, LOCK_EX) != 0 && errno == EINTR) {
  }
  return lock;
}

RunLock::~RunLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace actlab
