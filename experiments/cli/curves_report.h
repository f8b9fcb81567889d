// What the verbs of `curves` have in common: their activations, the checks of ranges, the file of the chart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiments/charts/chart.h"
#include "kernels/activation.h"

namespace actlab {

/// By plain_activation; says on the log where a parameter that would be observed has its default. Throws
/// ConfigError for a name given twice.
std::vector<ActivationHandle> plain_activations(const std::vector<std::string>& names);

/// Throws ConfigError unless from < to, within a million.
void check_range(std::string_view option, double from, double to);
/// Throws ConfigError where no moments are computed for it.
void check_sigma(double sigma);

/// Writes the chart where a file is named. Throws ConfigError for more activations than there are colours,
/// and Error where the file cannot be written.
void write_chart(const LineChart& chart, const std::string& file, std::size_t activations);

}  // namespace actlab
