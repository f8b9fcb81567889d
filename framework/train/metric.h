// What evaluations are judged by.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "framework/data/dataset.h"

namespace actlab {

/// The share of labels that are right, or the mean cross-entropy in nats, where less is better.
enum class Metric : std::uint8_t { accuracy, loss };
inline constexpr std::array all_metrics = {Metric::accuracy, Metric::loss};

/// Images are judged by accuracy, text by loss (its perplexity is exp(loss)).
Metric metric_of(const DataSpec& data);

/// "accuracy", "loss".
std::string_view name_of(Metric metric);
/// Throws ConfigError with the names there are.
Metric parse_metric(std::string_view name);

}  // namespace actlab
