// Parts of charts.
#include "experiments/charts/drawing.h"

#include <algorithm>
#include <cmath>

#include "kernels/error.h"

namespace actlab {

double text_width(std::string_view text) {
  const auto characters =
      std::count_if(text.begin(), text.end(), [](char c) { return (c & '\xC0') != '\x80'; });
  return 6.7 * static_cast<double>(characters);
}

std::string shortened(std::string_view text, double width) {
  if (text_width(text) <= width) return std::string(text);
  std::size_t end = 0;
  for (std::size_t i = 0; i < text.size() && text_width(text.substr(0, i)) + text_width("\u2026") <= width;
       ++i)
    if ((text[i] & '\xC0') != '\x80') end = i;
  return std::string(text.substr(0, end)) + "\u2026";
}

std::string classes_of(const Look& look) {
  return concat("series series-", look.key, " k", look.colour % palette_size);
}

void draw_text(Markup& svg, double x, double y, std::string_view text, const std::string& style) {
  if (style.empty()) {
    svg.element("text", {{"x", short_number(x)}, {"y", short_number(y)}}, text);
  } else {
    svg.element("text", {{"class", style}, {"x", short_number(x)}, {"y", short_number(y)}}, text);
  }
}

double begin_chart(Markup& svg, const std::string& title, const Canvas& canvas) {
  const std::string box = concat("0 0 ", short_number(canvas.width), ' ', short_number(canvas.height));
  if (!canvas.alone) {
    svg.open("svg", {{"class", "chart"}, {"viewBox", box}, {"role", "img"}, {"aria-label", title}});
    return 0;
  }
  svg.open("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                   {"class", "chart"},
                   {"viewBox", box},
                   {"width", short_number(canvas.width)},
                   {"height", short_number(canvas.height)},
                   {"role", "img"},
                   {"aria-label", title}});
  svg.raw(concat("<style>\n", chart_style(), "</style>\n"));
  svg.shape("rect", {{"class", "page"}, {"width", "100%"}, {"height", "100%"}});
  if (title.empty()) return 8;
  draw_text(svg, 16, 27, title, "title");
  return 38;
}

Legend lay_out_legend(const std::vector<std::string>& names, double width) {
  if (names.empty()) return {};
  double widest = 0;
  for (const std::string& name : names) widest = std::max(widest, 28 + text_width(name) + 16);
  const std::size_t most = std::max<std::size_t>(1, static_cast<std::size_t>(width / widest));
  const std::size_t lines = (names.size() + most - 1) / most;
  const std::size_t columns = (names.size() + lines - 1) / lines;
  Legend legend;
  for (std::size_t i = 0; i < names.size(); ++i)
    legend.places.emplace_back(widest * static_cast<double>(i % columns),
                               18 * static_cast<double>(i / columns));
  legend.height = 18 * static_cast<double>(lines);
  return legend;
}

Scale scale_of(const ChartAxis& axis, const Extent& data, double begin, double end) {
  const double least = data.empty() ? 0 : data.least(), most = data.empty() ? 1 : data.most();
  const double size = std::max(std::fabs(least), std::fabs(most));
  // One value alone has as much around it as makes the ticks tell.
  const double air = std::max(most - least > 1e-6 * size ? 0.04 * (most - least) : 0.05 * size, 1e-300);
  Scale scale{std::isnan(axis.from) ? least - air : axis.from, std::isnan(axis.to) ? most + air : axis.to,
              begin, end};
  if (!(scale.from < scale.to)) scale.to = scale.from + std::max(std::fabs(scale.from), 1.0);
  return scale;
}

double bottom_axis_height(const std::string& title) { return title.empty() ? 24 : 44; }

void draw_bottom_axis(Markup& svg, const Scale& x, const std::string& title, double top, double bottom) {
  const Ticks ticks = nice_ticks(x.from, x.to, std::max(2, static_cast<int>((x.end - x.begin) / 60)));
  std::string grid;
  for (const double value : ticks.values)
    grid += concat('M', short_number(x.at(value)), ' ', short_number(top), 'V', short_number(bottom));
  svg.shape("path", {{"class", "grid"}, {"d", grid}});
  for (std::size_t i = 0; i < ticks.values.size(); ++i)
    draw_text(svg, x.at(ticks.values[i]), bottom + 17, ticks.labels[i], "quiet middle");
  if (!title.empty()) draw_text(svg, (x.begin + x.end) / 2, bottom + 37, title, "quiet middle");
}

}  // namespace actlab
