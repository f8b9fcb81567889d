// Draws the charts of a report.
#include "experiments/report/figures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "experiments/charts/markup.h"
#include "experiments/report/layer_bytes.h"
#include "experiments/results/statistics.h"
#include "kernels/error.h"

namespace actlab {
namespace {

// A width that is read on a phone and stands twice on a desk.
constexpr double width = 440, height = 300;

bool is_empty(const RowChart& chart) {
  return std::all_of(chart.rows.begin(), chart.rows.end(),
                     [](const ChartRow& row) { return row.dots.empty() && row.parts.empty(); });
}

RowChart titled(const char* title, const char* x_title, double from = not_given) {
  RowChart chart;
  chart.title = title, chart.x.title = x_title, chart.x.from = from;
  return chart;
}

ChartRow& add_row(RowChart& chart, const Arm& arm) {
  ChartRow& row = chart.rows.emplace_back();
  row.name = arm.name, row.look = arm.look;
  return row;
}

// Adds a dot for each of the runs that has a value.
void add_dots(ChartRow& row, const std::vector<const ReportedRun*>& runs, Unit unit, double factor,
              const std::function<double(const RunSummary&)>& value_of) {
  for (const ReportedRun* run : runs)
    if (const double value = value_of(run->stored->summary); std::isfinite(value))
      row.dots.push_back(
          {factor * value, concat("seed ", run->stored->summary.seed, ": ", readable(value, unit))});
}

std::vector<double> values_of(const ChartRow& row) {
  std::vector<double> values;
  for (const Dot& dot : row.dots) values.push_back(dot.value);
  return values;
}

Figure final_scores(const std::vector<Arm>& arms, Metric metric) {
  const bool by_loss = metric == Metric::loss;
  const Unit unit = by_loss ? Unit::nats : Unit::percent;
  const double factor = by_loss ? 1 : 100;
  const auto field = by_loss ? &RunSummary::loss : &RunSummary::accuracy;
  RowChart chart = by_loss ? titled("Final test loss", "nats, less is better")
                           : titled("Final test accuracy", "%, more is better");
  for (const Arm& arm : arms) {
    ChartRow& row = add_row(chart, arm);
    add_dots(row, arm.done(), unit, factor, [&](const RunSummary& s) { return s.*field; });
    const std::vector<double> values = values_of(row);
    row.mark = mean(values), row.spread = confidence95(values);
    row.label = readable(row.mark / factor, unit);
    if (std::isfinite(row.spread))
      row.label = row.label.substr(0, row.label.find(' ')) + " \u00b1 " + readable(row.spread / factor, unit);
  }
  if (is_empty(chart)) return {};
  return {chart.title, "A dot is a seed; the stroke is their mean, the whiskers its 95 % interval.",
          to_svg(chart, width)};
}

Figure curves(const std::vector<Arm>& arms, const std::string& title, const std::string& metric,
              bool percent) {
  LineChart chart{title, {.title = "steps"}, {.title = percent ? "%" : "nats"}, {}};
  bool empty = true;
  for (const Arm& arm : arms) {
    chart.series.push_back({arm.name, arm.look, mean_curve(arm, metric, percent ? 100 : 1)});
    empty &= chart.series.back().points.empty();
  }
  if (empty) return {};
  return {title, "Mean over seeds; the band is its 95 % interval.", to_svg(chart, {width, height, false})};
}

Figure convergence(const std::vector<Arm>& arms) {
  RowChart chart = titled("Steps to the target", "steps", 0);
  std::set<std::string> targets;
  for (const Arm& arm : arms) {
    ChartRow& row = add_row(chart, arm);
    std::vector<const ReportedRun*> runs;
    for (const ReportedRun& run : arm.runs) runs.push_back(&run);
    add_dots(row, runs, Unit::plain, 1, [](const RunSummary& s) {
      return s.convergence_steps ? static_cast<double>(*s.convergence_steps) : RunSummary::unknown;
    });
    row.mark = arm.convergence_steps;
    row.label = arm.reached.empty() ? "-" : "reached " + arm.reached;
    const RunSummary& first = runs.front()->stored->summary;
    if (first.target > 0) targets.insert(concat("an accuracy of ", readable(first.target, Unit::percent)));
    if (first.target_loss > 0) targets.insert(concat("a loss of ", readable(first.target_loss, Unit::nats)));
  }
  if (targets.empty()) return {};
  return {
      chart.title,
      concat(
          "The first evaluation with ", targets.size() == 1 ? *targets.begin() : "its target",
          ". A dot is a seed; the stroke is the median, for which a seed that ended without it took longer."),
      to_svg(chart, width)};
}

Figure step_time(const std::vector<Arm>& arms) {
  RowChart chart = titled("Time per step", "milliseconds", 0);
  for (const Arm& arm : arms) {
    ChartRow& row = add_row(chart, arm);
    add_dots(row, arm.done(), Unit::seconds, 1e3, [](const RunSummary& s) { return s.step_seconds; });
    row.mark = median(values_of(row));
    row.label = readable(row.mark / 1e3, Unit::seconds);
  }
  if (is_empty(chart)) return {};
  return {chart.title, "A dot is a run's median step; the stroke is the median of the runs.",
          to_svg(chart, width)};
}

Figure memory(const std::vector<Arm>& arms) {
  std::vector<LayerBytes> bytes;
  for (const Arm& arm : arms) bytes.push_back(layer_bytes(arm));
  RowChart chart = titled("Memory kept for the backward pass", "MB", 0);
  chart.parts = largest_layers(bytes, palette_size);
  for (std::size_t i = 0; i < arms.size(); ++i) {
    ChartRow& row = add_row(chart, arms[i]);
    const std::vector<double> parts = parts_of(bytes[i], chart.parts);
    double sum = 0;
    for (const double part : parts) sum += part, row.parts.push_back(part / 1e6);
    row.label = readable(sum, Unit::bytes);
    if (sum == 0) row.parts.clear(), row.label = "-";
  }
  if (is_empty(chart)) return {};
  return {chart.title,
          "Of one step, by layer; blocks of the same form are added up. Parameters are not in it.",
          to_svg(chart, width)};
}

}  // namespace

std::vector<Figure> figures_of(const std::vector<Arm>& arms, Metric metric) {
  std::vector<Figure> figures = {final_scores(arms, metric),
                                 curves(arms, "Test accuracy", "test_accuracy", true),
                                 curves(arms, "Test loss", "test_loss", false),
                                 curves(arms, "Training loss", "train_loss", false),
                                 convergence(arms),
                                 memory(arms),
                                 step_time(arms)};
  std::erase_if(figures, [](const Figure& figure) { return figure.svg.empty(); });
  return figures;
}

}  // namespace actlab
