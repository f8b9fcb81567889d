// Charts: escaping, numbers, ticks, and what is drawn.
#include <gtest/gtest.h>

#include <cmath>

#include "experiments/charts/chart.h"
#include "experiments/charts/markup.h"
#include "kernels/error.h"
#include "tests/support/message_of.h"
#include "tests/support/well_formed.h"

namespace actlab {
namespace {

TEST(Markup, EscapesWhatHasAMeaning) {
  EXPECT_EQ(escape_markup("a<b> & \"c\" 'd' \u2212"), "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39; \u2212");
  EXPECT_EQ(escape_markup("\x1b[1m\n\t\x7f"), "\\x1b[1m\\n\\x09\\x7f");
  EXPECT_EQ(escape_markup("a\xff\xc3"), "a\uFFFD\uFFFD");
}

TEST(Markup, ElementsWithAttributes) {
  Markup markup;
  markup.open("g", {{"class", "a\"b"}});
  markup.element("text", {}, "1 < 2");
  markup.shape("path", {{"d", "M0 0"}});
  markup.close();
  EXPECT_EQ(std::move(markup).text(),
            "<g class=\"a&quot;b\">\n<text>1 &lt; 2</text>\n<path d=\"M0 0\"/>\n</g>\n");
  Markup torn;
  torn.open("svg");
  EXPECT_NE(message_of([&] { std::move(torn).text(); }).find("not closed: svg"), std::string::npos);
}

TEST(ShortNumber, HasNoNeedlessDigits) {
  EXPECT_EQ(short_number(1.0 / 3), "0.3");
  EXPECT_EQ(short_number(12.04), "12");
  EXPECT_EQ(short_number(-0.04), "0");
  EXPECT_EQ(short_number(1200, 0), "1200");
  EXPECT_EQ(short_number(0.1 + 0.2, 4), "0.3");
}

TEST(Ticks, AreRoundAndWithin) {
  using Labels = std::vector<std::string>;
  EXPECT_EQ(nice_ticks(-1, 4, 5).labels, (Labels{"\u22121", "0", "1", "2", "3", "4"}));
  EXPECT_EQ(nice_ticks(0.13, 0.87, 4).labels, (Labels{"0.2", "0.4", "0.6", "0.8"}));
  EXPECT_EQ(nice_ticks(0, 2000, 4).labels, (Labels{"0", "500", "1000", "1500", "2000"}));
  EXPECT_EQ(nice_ticks(0, 3e7, 3).labels, (Labels{"0", "1e+07", "2e+07", "3e+07"}));
  EXPECT_EQ(nice_ticks(-0.02, 0.005, 5).labels,
            (Labels{"\u22120.02", "\u22120.015", "\u22120.01", "\u22120.005", "0", "0.005"}));
  EXPECT_EQ(nice_ticks(-0.4, 0.7, 2).labels[0], "0");
  EXPECT_LE(nice_ticks(1e6, std::nextafter(1e6, 2e6), 5).values.size(), 6u);
  for (const double size : {1e-300, 1e-7, 0.3, 1.0, 77.0, 1e15, 1e300}) {
    const Ticks ticks = nice_ticks(-size, 2 * size, 6);
    EXPECT_GE(ticks.values.size(), 3u) << size;
    EXPECT_LE(ticks.values.size(), 7u) << size;
    for (const double value : ticks.values) {
      EXPECT_GE(value, -size * (1 + 1e-9));
      EXPECT_LE(value, 2 * size * (1 + 1e-9));
    }
  }
}

LineChart two_lines() {
  LineChart chart{"f & g", {.title = "x"}, {.title = "y"}, {}};
  chart.series.push_back({"<f>", look_of(0), {{0, 0, 0.5}, {1, 1, 0.5}, {2, not_given}, {3, 2}}});
  chart.series.push_back({"g", look_of(9), {{0, 3}, {3, 1}}});
  return chart;
}

TEST(LineChart, DrawsEverySeriesOnceAndBreaksAtGaps) {
  const std::string svg = to_svg(two_lines());
  EXPECT_EQ(markup_fault(svg), "");
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_EQ(count_of(svg, "class=\"band "), 1u);
  EXPECT_EQ(count_of(svg, "&lt;f&gt;"), 1u);
  EXPECT_EQ(count_of(svg, "f &amp; g"), 2u);    // title, label for those who do not see it
  EXPECT_EQ(count_of(svg, "series-0 k0"), 3u);  // band, line, legend
  EXPECT_EQ(count_of(svg, "series-9 k1"), 2u);
  EXPECT_EQ(count_of(svg, "class=\"line dash1 "), 2u);
  const std::size_t line = svg.find("class=\"line ", svg.find("class=\"band "));
  ASSERT_NE(line, svg.npos);
  const std::string path = svg.substr(line, svg.find("/>", line) - line);
  EXPECT_EQ(count_of(path, "M"), 2u) << path;
  EXPECT_EQ(count_of(path, "h0"), 1u) << path;
  EXPECT_EQ(to_svg(two_lines()), svg);
}

TEST(LineChart, InAPageHasNoStyleAndNoLegend) {
  const std::string svg = to_svg(two_lines(), {440, 300, false});
  EXPECT_EQ(markup_fault(svg), "");
  EXPECT_EQ(svg.find("<style>"), svg.npos);
  EXPECT_EQ(svg.find("&lt;f&gt;"), svg.npos);
  EXPECT_EQ(count_of(svg, "series-9 k1"), 1u);
}

// Whatever the numbers are, the file stays small and its numbers finite.
TEST(LineChart, StandsExtremeNumbers) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const std::vector<Point>& points : std::vector<std::vector<Point>>{{},
                                                                          {{1, 1}},
                                                                          {{0, 5}, {1, 5}},
                                                                          {{0, inf}, {1, -inf}},
                                                                          {{0, -1e300}, {1, 1e300}},
                                                                          {{0, 1e-310}, {1, 0}},
                                                                          {{0, 1, inf}, {1, 2, 1e300}}}) {
    const std::string svg = to_svg(LineChart{"", {}, {}, {{"f", {}, points}}}, {440, 300, false});
    EXPECT_EQ(markup_fault(svg), "");
    EXPECT_EQ(svg.find("nan"), svg.npos) << svg;
    EXPECT_EQ(svg.find("inf"), svg.npos) << svg;
    EXPECT_LT(svg.size(), 4000u);
  }
  const LineChart cut{"",
                      {.title = {}, .from = 0, .to = 1},
                      {.title = {}, .from = 0, .to = 1},
                      {{"f", {}, {{0, 0}, {1, 1e300}}}}};
  EXPECT_LT(to_svg(cut).size(), 6000u);
}

TEST(RowChart, DrawsBarsDotsAndWhiskers) {
  RowChart chart;
  chart.title = "memory", chart.x.from = 0, chart.parts = {"conv", "loss"};
  ChartRow& bar = chart.rows.emplace_back();
  bar.name = "a<b", bar.label = "3 MB", bar.parts = {2, 1};
  ChartRow& dots = chart.rows.emplace_back();
  dots.name = "c", dots.dots = {{1, "seed 0: 1"}, {2, "seed 1: 2"}, {not_given, "seed 2"}}, dots.mark = 1.5,
  dots.spread = 0.5;
  const std::string svg = to_svg(chart, 440);
  EXPECT_EQ(markup_fault(svg), "");
  EXPECT_EQ(count_of(svg, "<rect class=\"part"), 4u);  // two parts, two symbols
  EXPECT_EQ(count_of(svg, "<circle"), 2u);
  EXPECT_EQ(count_of(svg, "class=\"whisker\""), 1u);
  EXPECT_NE(svg.find("<title>conv: 2</title>"), svg.npos);
  EXPECT_NE(svg.find("a&lt;b"), svg.npos);
}

TEST(RowChart, NamesGiveWayToLabels) {
  RowChart chart;
  chart.rows.resize(1);
  chart.rows[0].name = std::string(80, 'a') + "\u2212end", chart.rows[0].label = "the label";
  const std::string svg = to_svg(chart, 440);
  EXPECT_NE(svg.find("aaa\u2026</text>"), svg.npos);
  EXPECT_EQ(svg.find("end</text>"), svg.npos);
  EXPECT_NE(svg.find(">the label</text>"), svg.npos);
}

TEST(ChartStyle, KnowsDarkAndEveryColour) {
  const std::string style = chart_style();
  EXPECT_EQ(count_of(style, "prefers-color-scheme:dark"), 1u);
  for (int i = 0; i < palette_size; ++i) EXPECT_EQ(count_of(style, concat(".k", i, "{color:")), 2u);
  EXPECT_EQ(count_of(style, "{"), count_of(style, "}"));
}

}  // namespace
}  // namespace actlab
