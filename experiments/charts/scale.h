// From numbers to places on an axis, and the round numbers that are written beside it.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace actlab {

/// `value` in [from, to] as a place between `begin` and `end`, by a straight line.
struct Scale {
  double from, to;
  double begin, end;

  double at(double value) const { return begin + (value - from) / (to - from) * (end - begin); }
};

/// The least and the greatest finite number that was added.
class Extent {
 public:
  void add(double value);
  bool empty() const { return most_ < least_; }
  double least() const { return least_; }
  double most() const { return most_; }

 private:
  double least_ = std::numeric_limits<double>::infinity();
  double most_ = -std::numeric_limits<double>::infinity();
};

struct Ticks {
  std::vector<double> values;
  std::vector<std::string> labels;
};

/// The multiples of 1, 2 or 5 times a power of ten within [from, to], from < to: the finest that cut it into
/// at most `parts`.
Ticks nice_ticks(double from, double to, int parts);

}  // namespace actlab
