// Signals that ask the program to stop.
#pragma once

namespace actlab {

/// From now on the first SIGINT, SIGTERM, SIGHUP or SIGUSR1 is kept for stop_signal, so that what is begun
/// can be ended well; the second ends the process at once with the exit code 128 + its number, but for one
/// that comes in the same breath: whoever signals a process and its group means it once. One that was ignored
/// stays so.
void catch_stop_signals();

/// The signal that asks for the end, 0 before one does.
int stop_signal();

}  // namespace actlab
