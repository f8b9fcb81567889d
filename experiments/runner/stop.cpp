// Keeps signals until they are asked for.
#include "experiments/runner/stop.h"

#include <unistd.h>

#include <csignal>
#include <ctime>
#include <initializer_list>

namespace actlab {
namespace {

volatile std::sig_atomic_t caught = 0;
timespec caught_at;
volatile std::sig_atomic_t paused = 0;

double seconds_since(const timespec& then) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec - then.tv_sec) +
         1e-9 * static_cast<double>(now.tv_nsec - then.tv_nsec);
}

extern "C" void keep_signal(int number) {
  constexpr double same_breath = 0.2;
  if (caught != 0 && seconds_since(caught_at) > same_breath) _exit(128 + number);
  if (caught != 0) return;
  clock_gettime(CLOCK_MONOTONIC, &caught_at);
  caught = number;
}

extern "C" void keep_pause(int) { paused = 1; }

}  // namespace

void catch_stop_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1})
    if (std::signal(number, keep_signal) == SIG_IGN) std::signal(number, SIG_IGN);
}

int stop_signal() { return caught; }

PauseSignal::PauseSignal() : handler_(std::signal(SIGTSTP, keep_pause)) {
  if (handler_ == SIG_IGN) std::signal(SIGTSTP, SIG_IGN);
}

PauseSignal::~PauseSignal() { std::signal(SIGTSTP, handler_); }

void PauseSignal::stop_if_asked(const std::function<void()>& before, const std::function<void()>& after) {
  if (paused == 0) return;
  paused = 0;
  before();
  std::raise(SIGSTOP);
  after();
}

}  // namespace actlab
