// Draws over one line of the terminal.
#include "experiments/cli/progress_bar.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdio>

namespace actlab {

std::string clock_text(double seconds) {
  const auto s = static_cast<std::int64_t>(seconds + 0.5);
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{}:{:02}", s / 60, s % 60);
}

ProgressBar::ProgressBar() : terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressBar::start(const std::string& name) {
  name_ = name;
  start_ = drawn_ = Clock::now();
}

void ProgressBar::draw(double share, const std::string& text) {
  constexpr int width = 24;
  const auto now = Clock::now();
  if (!terminal_ || now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  const auto filled = static_cast<std::size_t>(share * width);
  const std::string left = share > 0 ? clock_text(seconds() / share - seconds()) : "?";
  fmt::print(stderr, "\r{} [{}{}] {}  {} left \x1b[K", name_, std::string(filled, '#'),
             std::string(width - filled, '.'), text, left);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressBar::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

double ProgressBar::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

}  // namespace actlab
