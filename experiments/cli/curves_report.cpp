// Checks and charts of `curves`.
#include "experiments/cli/curves_report.h"

#include <algorithm>
#include <cmath>

#include "experiments/analysis/gaussian.h"
#include "experiments/cli/log.h"
#include "experiments/cli/plain_activation.h"
#include "framework/core/files.h"
#include "kernels/error.h"

namespace actlab {

std::vector<ActivationHandle> plain_activations(const std::vector<std::string>& names) {
  std::vector<ActivationHandle> activations;
  for (const std::string& name : names) {
    const ActivationHandle activation = plain_activation("curves", name);
    if (ActivationHandle::parse(name).observes())
      log_info(
          concat(name, ": there are no data whose size it could observe; taken as ", activation.spelled()));
    for (const ActivationHandle& other : activations)
      if (other.spelled() == activation.spelled())
        throw ConfigError(concat("curves: '", activation.spelled(), "' is given twice"));
    activations.push_back(activation);
  }
  return activations;
}

void check_range(std::string_view option, double from, double to) {
  constexpr double most = 1e6;
  if (!(from < to && from >= -most && to <= most))
    throw ConfigError(concat("curves: ", option, " are ", from, " and ", to,
                             "; wanted the lesser first, both within a million"));
}

void check_sigma(double sigma) {
  if (!(sigma >= least_sigma && sigma <= most_sigma))
    throw ConfigError(concat("curves: --sigma ", sigma, ": wanted ", least_sigma, " to ", most_sigma));
}

void write_chart(const LineChart& chart, const std::string& file, std::size_t activations) {
  if (file.empty()) return;
  if (activations > palette_size)
    throw ConfigError(concat("curves: --svg shows at most ", palette_size, " activations, found ",
                             activations, ": more cannot be told apart"));
  write_file_atomically(file, to_svg(chart));
}

}  // namespace actlab
