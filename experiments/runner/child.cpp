// By fork and exec: OpenMP's threads would not survive a fork alone.
#include "experiments/runner/child.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include "kernels/error.h"

namespace actlab {
namespace {

constexpr int exit_not_started = 127;

void check_call(bool good, std::string_view what) {
  ACTLAB_CHECK(good, "a process for a job: ", what, ": ", std::generic_category().message(errno));
}

// A file without a name that holds the text.
int file_of(const std::string& text) {
  const int file = ::memfd_create("experiment.toml", MFD_CLOEXEC);
  check_call(file >= 0, "memfd_create");
  check_call(::write(file, text.data(), text.size()) == std::ssize(text), "write");
  check_call(::lseek(file, 0, SEEK_SET) == 0, "lseek");
  return file;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

// This process's variables, with those given in place of its own.
std::vector<std::string> variables(const std::vector<std::string>& given) {
  std::vector<std::string> all = given;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string text = *variable;
    const auto same = [&](const std::string& other) {
      return other.substr(0, other.find('=')) == text.substr(0, text.find('='));
    };
    bool replaced = false;
    for (const std::string& other : given) replaced |= same(other);
    if (!replaced) all.push_back(text);
  }
  return all;
}

}  // namespace

std::vector<std::size_t> usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  std::vector<std::size_t> cores;
  for (std::size_t core = 0; core < CPU_SETSIZE; ++core)
    if (CPU_ISSET(core, &set)) cores.push_back(core);
  return cores;
}

Child::Child(const std::vector<std::string>& arguments, const std::string& input,
             const std::vector<std::size_t>& cores, const std::vector<std::string>& environment) {
  std::vector<std::string> words = {"actlab"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<std::string> settings = variables(environment);
  const std::vector<char*> argv = pointers(words), envp = pointers(settings);
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const std::size_t core : cores) CPU_SET(core, &set);
  int pipe[2];
  check_call(::pipe2(pipe, O_CLOEXEC) == 0, "pipe");
  const int in = file_of(input);
  const int nothing = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  const pid_t parent = ::getpid();
  // What comes before the new program is there ends the process, and is not kept by this program's handler.
  sigset_t all, before;
  sigfillset(&all);
  ::sigprocmask(SIG_BLOCK, &all, &before);
  process_ = ::fork();
  if (process_ == 0) {
    // Only calls that are safe between fork and exec.
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGTSTP}) std::signal(number, SIG_DFL);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) _exit(exit_not_started);
    if (!cores.empty()) sched_setaffinity(0, sizeof set, &set);
    ::dup2(in, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
    ::dup2(pipe[1], STDERR_FILENO);
    ::execve("/proc/self/exe", argv.data(), envp.data());
    _exit(exit_not_started);
  }
  const int error = errno;
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  for (const int file : {in, nothing, pipe[1]}) ::close(file);
  error_ = pipe[0];
  errno = error;
  check_call(process_ > 0, "fork");
}

Child::Child(Child&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      error_(std::exchange(other.error_, -1)),
      pending_(std::move(other.pending_)) {}

Child::~Child() {
  if (error_ >= 0) ::close(error_);
  if (process_ <= 0) return;
  ::kill(process_, SIGTERM);
  wait();
}

std::vector<std::string> Child::read_lines(bool& open) {
  char buffer[1 << 16];
  const ssize_t count = ::read(error_, buffer, sizeof buffer);
  open = count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
  if (count > 0) pending_.append(buffer, static_cast<std::size_t>(count));
  if (!open && !pending_.empty()) pending_ += '\n';
  std::vector<std::string> lines;
  for (std::size_t end; (end = pending_.find('\n')) != std::string::npos; pending_.erase(0, end + 1))
    lines.push_back(pending_.substr(0, end));
  return lines;
}

void Child::send(int signal) const { ::kill(process_, signal); }

int Child::wait() {
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace actlab
