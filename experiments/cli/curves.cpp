// actlab curves values, errors: the curves of activations and how far approximations lie from them.
#include "experiments/cli/curves.h"

#include <algorithm>
#include <cmath>

#include "experiments/analysis/curve.h"
#include "experiments/charts/chart.h"
#include "experiments/cli/curves_report.h"
#include "experiments/cli/output.h"
#include "experiments/cli/parse_number.h"
#include "kernels/error.h"

namespace actlab {
namespace {

// "f'", "f''" in charts.
std::string symbol_of(Curve curve) {
  return curve == Curve::f ? "f" : curve == Curve::df ? "f\u2032" : "f\u2033";
}

ChartAxis y_axis(const std::string& range) {
  if (range.empty()) return {};
  const std::vector<double> ends = parse_numbers(range, ',', "--y");
  if (ends.size() != 2) throw ConfigError(concat("curves: --y is '", range, "', wanted LOW,HIGH"));
  check_range("--y", ends[0], ends[1]);
  return {.title = {}, .from = ends[0], .to = ends[1]};
}

// The activations that are named after the exact form: "NAME_...".
std::vector<std::string> approximations_of(const ActivationHandle& exact) {
  std::vector<std::string> names;
  for (const ActivationType& type : activation_types())
    if (type.info.name.starts_with(concat(exact.info().name, '_'))) names.emplace_back(type.info.name);
  if (names.empty())
    throw ConfigError(concat("curves errors: no activation is named after '", exact.info().name,
                             "'; name those that approximate it"));
  return names;
}

}  // namespace

int curves_values_verb(const CurvesValuesArguments& arguments) {
  const std::vector<ActivationHandle> activations = plain_activations(arguments.activations);
  const std::vector<Curve> curves = parse_curves(arguments.what);
  check_range("--from and --to", arguments.from, arguments.to);
  LineChart chart{.title = arguments.title,
                  .x = {.title = "x", .from = arguments.from, .to = arguments.to},
                  .y = y_axis(arguments.y_range),
                  .series = {}};
  const std::vector<double> xs = grid(arguments.from, arguments.to, arguments.points);

  Table table{{{"x"}}, {}};
  for (const double x : xs) table.rows.push_back({x});
  for (std::size_t a = 0; a < activations.size(); ++a) {
    for (std::size_t c = 0; c < curves.size(); ++c) {
      const std::string name = activations[a].spelled();
      table.columns.push_back({concat(name, '.', name_of(curves[c]))});
      const auto colour = static_cast<int>(a);
      Series& series = chart.series.emplace_back(
          Series{curves.size() == 1 ? name : concat(name, ' ', symbol_of(curves[c])),
                 {.colour = colour, .dash = static_cast<int>(c), .key = colour},
                 {}});
      for (std::size_t i = 0; i < xs.size(); ++i) {
        const double y = value_of(activations[a], curves[c], xs[i]);
        table.rows[i].push_back(number_cell(y));
        series.points.push_back({xs[i], y});
      }
    }
  }
  if (chart.title.empty())
    for (const Curve curve : curves)
      chart.title += (chart.title.empty() ? "" : ", ") + symbol_of(curve) + "(x)";
  write_chart(chart, arguments.svg, activations.size());
  print(table, arguments.format);
  return 0;
}

int curves_errors_verb(const CurvesErrorsArguments& arguments) {
  const ActivationHandle exact = plain_activations({arguments.exact}).front();
  const std::vector<ActivationHandle> activations =
      plain_activations(arguments.activations.empty() ? approximations_of(exact) : arguments.activations);
  check_range("--from and --to", arguments.from, arguments.to);
  check_sigma(arguments.sigma);
  const std::string difference = concat("f \u2212 ", exact.spelled());
  LineChart chart{.title = arguments.title.empty() ? difference : arguments.title,
                  .x = {.title = "x", .from = arguments.from, .to = arguments.to},
                  .y = {},
                  .series = {}};
  Table table{{{"activation"},
               {"exact"},
               {"max_error"},
               {"max_at"},
               {"rms"},
               {"df_max_error"},
               {"df_max_at"},
               {"df_rms"}},
              {}};
  constexpr std::int64_t points = 1001;
  for (const ActivationHandle& activation : activations) {
    const auto error = [&](Curve curve) {
      return curve_error(activation, exact, curve, arguments.from, arguments.to, arguments.sigma);
    };
    const CurveError f = error(Curve::f), df = error(Curve::df);
    table.rows.push_back(
        {activation.spelled(), exact.spelled(), f.most, f.at, f.rms, df.most, df.at, df.rms});
    Series& series = chart.series.emplace_back(
        Series{activation.spelled(), look_of(static_cast<int>(chart.series.size())), {}});
    for (const double x : grid(arguments.from, arguments.to, points))
      series.points.push_back({x, value_of(activation, Curve::f, x) - value_of(exact, Curve::f, x)});
  }
  write_chart(chart, arguments.svg, activations.size());
  print(table, arguments.format);
  return 0;
}

}  // namespace actlab
