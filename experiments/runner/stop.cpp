// Keeps the first signal.
#include "experiments/runner/stop.h"

#include <unistd.h>

#include <csignal>
#include <ctime>
#include <initializer_list>

namespace actlab {
namespace {

volatile std::sig_atomic_t caught = 0;
timespec caught_at;

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

}  // namespace

void catch_stop_signals() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1})
    if (std::signal(number, keep_signal) == SIG_IGN) std::signal(number, SIG_IGN);
}

int stop_signal() { return caught; }

}  // namespace actlab
