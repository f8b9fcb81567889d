// Signals that ask the program to stop, for good or for a while.
#pragma once

#include <functional>

namespace actlab {

/// From now on the first SIGINT, SIGTERM, SIGHUP or SIGUSR1 is kept for stop_signal, so that what is begun
/// can be ended well; the second ends the process at once with the exit code 128 + its number, but for one
/// that comes in the same breath: whoever signals a process and its group means it once. One that was ignored
/// stays so.
void catch_stop_signals();

/// The signal that asks for the end, 0 before one does.
int stop_signal();

/// While it lives, SIGTSTP, Ctrl-Z at a terminal, is kept for stop_if_asked; where it was ignored it stays
/// so.
class PauseSignal {
 public:
  PauseSignal();
  ~PauseSignal();
  PauseSignal(const PauseSignal&) = delete;
  PauseSignal& operator=(const PauseSignal&) = delete;

  /// Where one came: calls `before`, stops the process until a SIGCONT, and calls `after`.
  void stop_if_asked(const std::function<void()>& before, const std::function<void()>& after);

 private:
  void (*handler_)(int);  ///< from before
};

}  // namespace actlab
