// Rows with bars and dots: a line with the name and the label, and what is to be seen below it.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/charts/drawing.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr double row_height = 40, bar_height = 12;

Extent extent_of(const std::vector<ChartRow>& rows) {
  Extent x;
  for (const ChartRow& row : rows) {
    if (!row.parts.empty()) x.add(std::accumulate(row.parts.begin(), row.parts.end(), 0.0));
    for (const Dot& dot : row.dots) x.add(dot.value);
    x.add(row.mark);
    if (std::isfinite(row.spread)) x.add(row.mark - row.spread), x.add(row.mark + row.spread);
  }
  return x;
}

std::string part_class(std::size_t i) { return concat("part", i % palette_size); }

void draw_bar(Markup& svg, const RowChart& chart, const ChartRow& row, const Scale& x, double middle) {
  double begin = 0;
  for (std::size_t i = 0; i < row.parts.size(); ++i) {
    const double end = begin + row.parts[i];
    if (row.parts[i] > 0) {
      svg.open("rect", {{"class", part_class(i)},
                        {"x", short_number(x.at(begin))},
                        {"y", short_number(middle - bar_height / 2)},
                        {"width", short_number(x.at(end) - x.at(begin))},
                        {"height", short_number(bar_height)}});
      svg.element("title", {}, concat(chart.parts[i], ": ", short_number(row.parts[i], 2)));
      svg.close();
    }
    begin = end;
  }
}

void draw_dots(Markup& svg, const ChartRow& row, const Scale& x, double middle) {
  for (const Dot& dot : row.dots) {
    if (!std::isfinite(dot.value)) continue;
    svg.open(
        "circle",
        {{"class", "dot"}, {"cx", short_number(x.at(dot.value))}, {"cy", short_number(middle)}, {"r", "4"}});
    svg.element("title", {}, dot.name);
    svg.close();
  }
  if (!std::isfinite(row.mark)) return;
  std::string path = concat('M', short_number(x.at(row.mark)), ' ', short_number(middle - 7), "v14");
  if (std::isfinite(row.spread) && row.spread > 0)
    path += concat('M', short_number(x.at(row.mark - row.spread)), ' ', short_number(middle), 'H',
                   short_number(x.at(row.mark + row.spread)));
  svg.shape("path", {{"class", "whisker"}, {"d", path}});
}

void draw_legend(Markup& svg, const std::vector<std::string>& parts, double left, double width) {
  const Legend legend = lay_out_legend(parts, width);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double x = left + legend.places[i].first, y = legend.places[i].second;
    svg.shape("rect", {{"class", part_class(i)},
                       {"x", short_number(x + 8)},
                       {"y", short_number(y + 2)},
                       {"width", "12"},
                       {"height", "12"}});
    draw_text(svg, x + 26, y + 12, parts[i]);
  }
}

}  // namespace

std::string to_svg(const RowChart& chart, double width) {
  const double left = 8, right = width - 8;
  const double top = lay_out_legend(chart.parts, right - left).height + 4;
  const double bottom = top + row_height * static_cast<double>(chart.rows.size());
  Markup svg;
  begin_chart(svg, chart.title, {width, bottom + bottom_axis_height(chart.x.title), false});
  draw_legend(svg, chart.parts, left, right - left);
  const Scale x = scale_of(chart.x, extent_of(chart.rows), left, right);
  draw_bottom_axis(svg, x, chart.x.title, top, bottom);
  double y = top;
  for (const ChartRow& row : chart.rows) {
    svg.open("g", {{"class", classes_of(row.look)}});
    draw_text(svg, left, y + 14, shortened(row.name, right - left - text_width(row.label) - 12));
    draw_text(svg, right, y + 14, row.label, "end");
    draw_bar(svg, chart, row, x, y + 26);
    draw_dots(svg, row, x, y + 26);
    svg.close();
    y += row_height;
  }
  svg.close();
  return std::move(svg).text();
}

}  // namespace actlab
