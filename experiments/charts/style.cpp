// The style sheet of charts. Colours are those of Okabe and Ito (2008, "Color Universal Design"), which
// colour-blind people tell apart, with the weak ones darker on white and the dark ones lighter on black; the
// parts of bars have the light scheme of Paul Tol (2021, "Colour schemes").
#include <array>

#include "experiments/charts/chart.h"
#include "kernels/error.h"

namespace actlab {
namespace {

using Palette = std::array<const char*, palette_size>;

constexpr Palette on_light = {"#0072b2", "#d55e00", "#009e73", "#b8589a",
                              "#b98600", "#3e9fd8", "#1f2328", "#7a7300"};
constexpr Palette on_dark = {"#4aa8e8", "#f0803c", "#2cc597", "#dd92bd",
                             "#e69f00", "#8ccdf2", "#e6edf3", "#f0e442"};
constexpr Palette parts = {"#77aadd", "#ee8866", "#44bb99", "#eedd88",
                           "#ffaabb", "#bbcc33", "#99ddff", "#bbbbbb"};

// Colours by `color`, so that shapes say only whether they are drawn or filled: viewers that know no
// variables of style sheets show them too.
std::string colours(const Palette& palette) {
  std::string rules;
  for (std::size_t i = 0; i < palette_size; ++i) rules += concat(".k", i, "{color:", palette[i], "}");
  return rules;
}

}  // namespace

Look look_of(int index) { return {index % palette_size, index / palette_size % dash_count, index}; }

std::string chart_style() {
  std::string style =
      ".chart{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif}\n"
      ".chart,.chart text{color:#1f2328}.chart text{fill:currentColor}.chart .quiet{color:#59636e}\n"
      ".chart .title{font-size:15px;font-weight:600}.chart .end{text-anchor:end}.chart .middle{text-anchor:"
      "middle}\n"
      ".page{fill:#fff}.grid,.zero{stroke:currentColor;fill:none}.grid{opacity:.13}.zero{opacity:.5}\n"
      ".line,.whisker{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round;stroke-linecap:"
      "round}"
      "\n"
      ".dash1{stroke-dasharray:7 5}.dash2{stroke-dasharray:1 4.5}\n"
      ".band{fill:currentColor;fill-opacity:.1}.dot{fill:currentColor;fill-opacity:.5}.whisker{stroke-width:"
      "2.5}\n";
  for (std::size_t i = 0; i < palette_size; ++i) style += concat(".part", i, "{fill:", parts[i], "}");
  return concat(style, '\n', colours(on_light),
                "\n@media screen and (prefers-color-scheme:dark){\n"
                ".chart,.chart text{color:#e6edf3}.chart .quiet{color:#9198a1}.page{fill:#0d1117}\n",
                colours(on_dark), "}\n");
}

}  // namespace actlab
