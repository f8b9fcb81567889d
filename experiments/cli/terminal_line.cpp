// Draws with a carriage return and the escape sequence that clears to the end of the line.
#include "experiments/cli/terminal_line.h"

#include <spdlog/fmt/fmt.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string_view>

namespace actlab {
namespace {

bool shown = false;

std::size_t width_of(const std::vector<std::string>& pieces) {
  return std::accumulate(pieces.begin(), pieces.end(), std::size_t{0},
                         [](std::size_t sum, const std::string& piece) { return sum + 2 + piece.size(); });
}

}  // namespace

bool can_draw_line() {
  const char* terminal = std::getenv("TERM");
  return isatty(STDERR_FILENO) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
}

std::size_t terminal_width(int descriptor) {
  const char* columns = std::getenv("COLUMNS");
  std::size_t wanted = 0;
  if (columns != nullptr) std::from_chars(columns, columns + std::strlen(columns), wanted);
  if (wanted >= 1) return std::min<std::size_t>(wanted, 1000000);
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::size_t line_width() {
  constexpr std::size_t usual = 80;
  const std::size_t width = terminal_width(STDERR_FILENO);
  return (width > 0 ? width : usual) - 1;
}

void draw_line(const std::string& text) {
  static std::chrono::steady_clock::time_point drawn;
  const auto now = std::chrono::steady_clock::now();
  if (now - drawn < std::chrono::milliseconds(100)) return;
  drawn = now;
  fmt::print(stderr, "\r{}\x1b[K", text.substr(0, line_width()));
  std::fflush(stderr);
  shown = true;
}

void clear_line() {
  if (!shown) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown = false;
}

std::string progress_line(const std::string& name, double share, const std::vector<std::string>& pieces,
                          std::size_t width) {
  constexpr std::size_t longest_name = 40, least_bar = 6, most_bar = 30;
  std::string line = name.substr(0, longest_name);
  std::vector<std::string> kept = {fmt::format("{:3.0f} %", 100 * share)};
  kept.insert(kept.end(), pieces.begin(), pieces.end());
  while (kept.size() > 1 && line.size() + least_bar + 1 + width_of(kept) > width) kept.pop_back();
  const std::size_t taken = line.size() + 1 + width_of(kept);
  if (taken + least_bar <= width) {
    const std::size_t inside = std::min(width - taken, most_bar) - 2;
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(inside));
    line += " [" + std::string(filled, '#') + std::string(inside - filled, '.') + "]";
  }
  for (const std::string& piece : kept) line += "  " + piece;
  return line;
}

std::string clock_text(double seconds) {
  const auto s = static_cast<std::int64_t>(seconds + 0.5);
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{}:{:02}", s / 60, s % 60);
}

std::string time_left(double share, double seconds) {
  return share > 0 ? clock_text(seconds * (1 - share) / share) + " left" : "";
}

}  // namespace actlab
