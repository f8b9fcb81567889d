// Charts as SVG: lines over a number, and rows with bars and dots. Equal input gives equal bytes.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "experiments/charts/scale.h"

namespace actlab {

inline constexpr double not_given = std::numeric_limits<double>::quiet_NaN();

/// Where an end is not given the data give it.
struct ChartAxis {
  std::string title;
  double from = not_given;
  double to = not_given;
};

/// How a series looks: a colour of the palette, which repeats, and one of dash_count() ways to draw a line.
/// What has the same `key` is named "series-KEY" for style sheets, in whatever charts it stands.
struct Look {
  int colour = 0;
  int dash = 0;
  int key = 0;
};
inline constexpr int palette_size = 8;
inline constexpr int dash_count = 3;

/// The look of the i-th of many: each colour once, then again with the next dash.
Look look_of(int index);

struct Point {
  double x;
  double y;           ///< NaN breaks the line
  double spread = 0;  ///< half the height of the band there; NaN: none
};

struct Series {
  std::string name;
  Look look;
  std::vector<Point> points;
};

struct LineChart {
  std::string title;
  ChartAxis x, y;
  std::vector<Series> series;
};

/// A value that stands alone, with its name as a tooltip.
struct Dot {
  double value;
  std::string name;
};

/// A name and a label above a line with what is to be seen.
struct ChartRow {
  std::string name;
  std::string label;
  Look look;
  std::vector<double> parts;  ///< of a bar, in the order of RowChart::parts
  std::vector<Dot> dots;
  double mark = not_given;  ///< a stroke across
  double spread = 0;        ///< to both sides of it; NaN: none
};

struct RowChart {
  std::string title;
  ChartAxis x;
  std::vector<std::string> parts;  ///< names of what bars are made of
  std::vector<ChartRow> rows;
};

/// Size in units of the drawing, in which its text is 12 high.
struct Canvas {
  double width = 720;
  double height = 480;
  /// A file of its own: with the style sheet, a background, its title and a legend of its series. Else the
  /// page that holds it has all these.
  bool alone = true;
};

std::string to_svg(const LineChart& chart, const Canvas& canvas = {});
/// For a page; as high as the rows need.
std::string to_svg(const RowChart& chart, double width);

/// What charts look like, in light and in dark: a style sheet for the page that holds them.
std::string chart_style();

}  // namespace actlab
