// Locks run folders by flock(2), which a process cannot forget to release.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "experiments/results/run_folder.h"

namespace actlab {

std::optional<RunLock> RunLock::take(const std::filesystem::path& run) {
  RunLock lock(::open(run.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Who only looks whether a folder is locked holds its lock for a moment.
  constexpr int tries = 10;
  for (int i = 0; i < tries; ++i) {
    if (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return lock;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return std::nullopt;
}

RunLock::~RunLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace actlab
