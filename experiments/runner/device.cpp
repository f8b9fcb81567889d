// Chooses for "auto".
#include "experiments/runner/device.h"

#include "kernels/backend.h"

namespace actlab {

std::string usable_device(const std::string& device, const std::function<void(const std::string&)>& inform) {
  if (device != "auto") return device;
  auto [best, reason] = best_device();
  inform(concat("device = \"auto\": ", best, reason.empty() ? "" : concat(", for CUDA: ", reason)));
  return std::move(best);
}

std::vector<Experiment> with_usable_device(std::vector<Experiment> experiments,
                                           const std::function<void(const std::string&)>& inform) {
  std::string best;
  for (Experiment& experiment : experiments) {
    if (experiment.device != "auto") continue;
    if (best.empty()) best = usable_device("auto", inform);
    experiment.device = best;
  }
  return experiments;
}

}  // namespace actlab
