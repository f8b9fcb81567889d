// One line of the terminal, on standard error, that is drawn over again and again.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace actlab {

/// Whether standard error is a terminal that can draw over a line.
bool can_draw_line();

/// Draws over the line, at most ten times a second; cut to the terminal's width.
void draw_line(const std::string& text);

/// Makes the line free for others, where it is drawn.
void clear_line();

/// "name [####....]  45 %  1:05 left" and the pieces, in `width` columns: what has no room is left out, the
/// last pieces first. `share` of the whole, in [0, 1], is done.
std::string progress_line(const std::string& name, double share, const std::vector<std::string>& pieces,
                          std::size_t width);

/// COLUMNS where it is set, else what the terminal at a file descriptor says; 0 where neither knows.
std::size_t terminal_width(int descriptor);
/// That of standard error, 80 where it is not known; the last column stays free.
std::size_t line_width();

/// "1:05", "2:03:04".
std::string clock_text(double seconds);

/// The time that is left after `seconds` for a share of the whole: "1:05 left"; empty at the start.
std::string time_left(double share, double seconds);

}  // namespace actlab
