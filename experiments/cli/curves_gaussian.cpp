// actlab curves moments, histogram: what activations make of Gaussian inputs.
#include <cmath>

#include "experiments/analysis/curve.h"
#include "experiments/analysis/gaussian.h"
#include "experiments/cli/curves.h"
#include "experiments/cli/curves_report.h"
#include "experiments/cli/output.h"
#include "kernels/error.h"

namespace actlab {
namespace {

std::vector<std::string> all_activations() {
  std::vector<std::string> names;
  for (const ActivationType& type : activation_types()) names.emplace_back(type.info.name);
  return names;
}

// The outline of a histogram.
std::vector<Point> outline(const std::vector<double>& edges, const std::vector<double>& shares) {
  std::vector<Point> points;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
    const double density = shares[i + 1] / (edges[i + 1] - edges[i]);
    points.push_back({edges[i], density});
    points.push_back({edges[i + 1], density});
  }
  return points;
}

}  // namespace

int curves_moments_verb(const CurvesMomentsArguments& arguments) {
  const std::vector<ActivationHandle> activations =
      plain_activations(arguments.activations.empty() ? all_activations() : arguments.activations);
  check_sigma(arguments.sigma);
  Table table{{{"activation"},
               {"sigma"},
               {"samples"},
               {"mean"},
               {"exact_mean"},
               {"mean_z"},
               {"variance"},
               {"exact_variance"},
               {"variance_z"},
               {"gain"}},
              {}};
  const auto samples = static_cast<double>(arguments.samples);
  for (const ActivationHandle& activation : activations) {
    const OutputMoments exact = exact_moments(activation, arguments.sigma);
    const OutputMoments found =
        moments_of(gaussian_outputs(activation, arguments.sigma, arguments.samples, arguments.seed));
    // Differences in units of their standard deviation.
    const double mean_z = (found.mean - exact.mean) / std::sqrt(exact.variance / samples);
    const double variance_z = (found.variance - exact.variance) /
                              std::sqrt((exact.fourth - exact.variance * exact.variance) / samples);
    const double gain = arguments.sigma / std::sqrt(exact.variance + exact.mean * exact.mean);
    table.rows.push_back({activation.spelled(), arguments.sigma, arguments.samples, found.mean, exact.mean,
                          number_cell(mean_z), found.variance, exact.variance, number_cell(variance_z),
                          number_cell(gain)});
  }
  print(table, arguments.format);
  return 0;
}

int curves_histogram_verb(const CurvesHistogramArguments& arguments) {
  const std::vector<ActivationHandle> activations = plain_activations(arguments.activations);
  check_range("--from and --to", arguments.from, arguments.to);
  check_sigma(arguments.sigma);
  const std::vector<double> edges = grid(arguments.from, arguments.to, arguments.bins + 1);
  const std::string what = concat("f(x) for x from N(0, ", arguments.sigma, "\u00b2)");
  LineChart chart{.title = arguments.title.empty() ? what : arguments.title,
                  .x = {.title = "f(x)", .from = arguments.from, .to = arguments.to},
                  .y = {.title = "density", .from = 0},
                  .series = {}};
  Table table{{{"activation"}, {"from"}, {"to"}, {"share"}, {"exact_share"}}, {}};
  for (std::size_t a = 0; a < activations.size(); ++a) {
    const std::string name = activations[a].spelled();
    const std::vector<double> found = shares_of(
        gaussian_outputs(activations[a], arguments.sigma, arguments.samples, arguments.seed), edges);
    const std::vector<double> exact = exact_shares(activations[a], arguments.sigma, edges);
    for (std::size_t i = 0; i < found.size(); ++i)
      table.rows.push_back({name, i == 0 ? Cell("-inf") : Cell(edges[i - 1]),
                            i == edges.size() ? Cell("inf") : Cell(edges[i]), found[i], exact[i]});
    const auto colour = static_cast<int>(a);
    chart.series.push_back({name, {.colour = colour, .dash = 0, .key = colour}, outline(edges, found)});
    chart.series.push_back(
        {name + " exact", {.colour = colour, .dash = 1, .key = colour}, outline(edges, exact)});
  }
  write_chart(chart, arguments.svg, activations.size());
  print(table, arguments.format);
  return 0;
}

}  // namespace actlab
