// A bar with the time left, on standard error, where that is a terminal.
#pragma once

#include <chrono>
#include <string>

namespace actlab {

/// "1:05", "2:03:04".
std::string clock_text(double seconds);

class ProgressBar {
 public:
  ProgressBar();

  /// Time counts from here; the name stands before the bar.
  void start(const std::string& name);
  /// `share` of the whole, in [0, 1], is done; at most ten times a second.
  void draw(double share, const std::string& text);
  /// Makes the line free for others.
  void clear();
  /// Since the start.
  double seconds() const;

 private:
  using Clock = std::chrono::steady_clock;

  const bool terminal_;
  std::string name_;
  Clock::time_point start_;
  Clock::time_point drawn_;
  bool shown_ = false;
};

}  // namespace actlab
