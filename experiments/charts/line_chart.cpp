// Lines over a number, with bands around them.
#include <algorithm>
#include <cmath>

#include "experiments/charts/drawing.h"
#include "kernels/error.h"

namespace actlab {
namespace {

struct Frame {
  Scale x, y;

  // Far outside it is all the same; there numbers would grow long.
  std::string place(double at_x, double at_y) const {
    const auto near = [](double v) { return short_number(std::clamp(v, -2e4, 2e4)); };
    return concat(near(x.at(at_x)), ' ', near(y.at(at_y)));
  }
};

// Ranges of points without a gap.
template <class Visit>
void visit_pieces(const std::vector<Point>& points, bool (*drawn)(const Point&), Visit&& visit) {
  for (auto begin = points.begin(); begin != points.end();) {
    begin = std::find_if(begin, points.end(), drawn);
    const auto end = std::find_if_not(begin, points.end(), drawn);
    if (begin != end) visit(begin, end);
    begin = end;
  }
}

bool has_value(const Point& p) { return std::isfinite(p.x) && std::isfinite(p.y); }
bool has_band(const Point& p) { return has_value(p) && std::isfinite(p.spread) && p.spread > 0; }

std::string line_path(const std::vector<Point>& points, const Frame& frame) {
  std::string path;
  visit_pieces(points, has_value, [&](auto begin, auto end) {
    for (auto p = begin; p != end; ++p) path += (p == begin ? 'M' : ' ') + frame.place(p->x, p->y);
    if (end - begin == 1) path += "h0";  // a dot, by the line's round ends
  });
  return path;
}

std::string band_path(const std::vector<Point>& points, const Frame& frame) {
  std::string path;
  visit_pieces(points, has_band, [&](auto begin, auto end) {
    for (auto p = begin; p != end; ++p)
      path += (p == begin ? 'M' : ' ') + frame.place(p->x, p->y + p->spread);
    for (auto p = end; p-- != begin;) path += ' ' + frame.place(p->x, p->y - p->spread);
    path += 'Z';
  });
  return path;
}

std::string line_classes(const Look& look) {
  const int dash = look.dash % dash_count;
  return concat(dash == 0 ? "line " : concat("line dash", dash, ' '), classes_of(look));
}

// The lines decide what is seen; a band may reach beyond.
std::pair<Extent, Extent> extents_of(const std::vector<Series>& series) {
  Extent x, y;
  for (const Series& one : series)
    for (const Point& p : one.points)
      if (has_value(p)) x.add(p.x), y.add(p.y);
  return {x, y};
}

void draw_left_axis(Markup& svg, const Scale& y, const Ticks& ticks, double left, double right) {
  std::string grid;
  for (const double value : ticks.values)
    grid += concat('M', short_number(left), ' ', short_number(y.at(value)), 'H', short_number(right));
  svg.shape("path", {{"class", "grid"}, {"d", grid}});
  if (y.from < 0 && y.to > 0) {
    const std::string zero =
        concat('M', short_number(left), ' ', short_number(y.at(0)), 'H', short_number(right));
    svg.shape("path", {{"class", "zero"}, {"d", zero}});
  }
  for (std::size_t i = 0; i < ticks.values.size(); ++i)
    draw_text(svg, left - 7, y.at(ticks.values[i]) + 4, ticks.labels[i], "quiet end");
}

// Bands lie below all lines. Both are cut at the frame by an element of their own, which shows nothing
// outside itself.
void draw_series(Markup& svg, const std::vector<Series>& series, const Frame& frame) {
  const double left = frame.x.begin, top = frame.y.end;
  const double width = frame.x.end - left, height = frame.y.begin - top;
  svg.open("svg", {{"x", short_number(left)},
                   {"y", short_number(top)},
                   {"width", short_number(width)},
                   {"height", short_number(height)},
                   {"viewBox", concat(short_number(left), ' ', short_number(top), ' ', short_number(width),
                                      ' ', short_number(height))}});
  for (const Series& one : series)
    if (const std::string band = band_path(one.points, frame); !band.empty())
      svg.shape("path", {{"class", "band " + classes_of(one.look)}, {"d", band}});
  for (const Series& one : series)
    svg.shape("path", {{"class", line_classes(one.look)}, {"d", line_path(one.points, frame)}});
  svg.close();
}

double draw_legend(Markup& svg, const std::vector<Series>& series, double width, double top) {
  std::vector<std::string> names;
  for (const Series& one : series) names.push_back(one.name);
  const Legend legend = lay_out_legend(names, width - 32);
  for (std::size_t i = 0; i < series.size(); ++i) {
    const double x = 16 + legend.places[i].first, y = top + legend.places[i].second;
    svg.shape("path", {{"class", line_classes(series[i].look)},
                       {"d", concat('M', short_number(x), ' ', short_number(y + 8), "h22")}});
    draw_text(svg, x + 28, y + 12, names[i]);
  }
  return legend.height;
}

}  // namespace

std::string to_svg(const LineChart& chart, const Canvas& canvas) {
  Markup svg;
  double top = begin_chart(svg, chart.title, canvas);
  if (canvas.alone) top += draw_legend(svg, chart.series, canvas.width, top) + 8;
  top += chart.y.title.empty() ? 8 : 20;
  const double bottom = canvas.height - bottom_axis_height(chart.x.title);

  const auto [x_data, y_data] = extents_of(chart.series);
  Frame frame{scale_of(chart.x, x_data, 0, canvas.width - 16), scale_of(chart.y, y_data, bottom, top)};
  const Ticks ticks =
      nice_ticks(frame.y.from, frame.y.to, std::max(2, static_cast<int>((bottom - top) / 36)));
  double widest = 0;
  for (const std::string& label : ticks.labels) widest = std::max(widest, text_width(label));
  const double left = frame.x.begin = widest + (canvas.alone ? 24 : 10);

  if (!chart.y.title.empty()) draw_text(svg, left, top - 8, chart.y.title, "quiet");
  draw_left_axis(svg, frame.y, ticks, left, frame.x.end);
  draw_bottom_axis(svg, frame.x, chart.x.title, top, bottom);
  draw_series(svg, chart.series, frame);
  svg.close();
  return std::move(svg).text();
}

}  // namespace actlab
