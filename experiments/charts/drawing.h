// What all charts are drawn with: the element around them, the legend, the axis at the bottom.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiments/charts/chart.h"
#include "experiments/charts/markup.h"

namespace actlab {

/// About how wide a text is on the canvas.
double text_width(std::string_view text);

/// The text, its end left out where it would be wider.
std::string shortened(std::string_view text, double width);

/// The classes of a series, or of a row.
std::string classes_of(const Look& look);

void draw_text(Markup& svg, double x, double y, std::string_view text, const std::string& style = "");

/// Begins the element; where the chart is alone also with its style, background and title. Returns how far
/// down that reaches.
double begin_chart(Markup& svg, const std::string& title, const Canvas& canvas);

/// Places of names in columns, as many in a line as `width` holds, a symbol of 28 before each.
struct Legend {
  std::vector<std::pair<double, double>> places;
  double height = 0;
};
Legend lay_out_legend(const std::vector<std::string>& names, double width);

/// The ends that are given, else those of the data with a little air; never empty.
Scale scale_of(const ChartAxis& axis, const Extent& data, double begin, double end);

/// Lines of the grid from `top` to `bottom`, numbers below them, and the axis's title below those.
void draw_bottom_axis(Markup& svg, const Scale& x, const std::string& title, double top, double bottom);
/// The height of what stands below `bottom`.
double bottom_axis_height(const std::string& title);

}  // namespace actlab
