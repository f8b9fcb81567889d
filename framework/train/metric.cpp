// Metrics by kind of data and by name.
#include "framework/train/metric.h"

#include "kernels/error.h"

namespace actlab {

Metric metric_of(const DataSpec& data) {
  return std::holds_alternative<TextSpec>(data) ? Metric::loss : Metric::accuracy;
}

std::string_view name_of(Metric metric) { return metric == Metric::loss ? "loss" : "accuracy"; }

Metric parse_metric(std::string_view name) {
  std::vector<std::string> known;
  for (const Metric metric : all_metrics) {
    if (name_of(metric) == name) return metric;
    known.emplace_back(name_of(metric));
  }
  throw ConfigError(concat("unknown metric '", name, "'", nearest_names(name, known)));
}

}  // namespace actlab
