// Chooses for "auto".
#include "experiments/runner/device.h"

#include <set>

#include "experiments/config/config.h"
#include "kernels/backend.h"

namespace actlab {

std::string usable_device(const std::string& device, const std::function<void(const std::string&)>& inform) {
  if (device.starts_with("cuda:0") && device.find_first_not_of("0", 5) == std::string::npos) return "cuda";
  if (device != "auto") return device;
  auto [best, reason] = best_device();
  inform(concat("device = \"auto\": ", best, reason.empty() ? "" : concat(", for CUDA: ", reason)));
  return std::move(best);
}

std::vector<Experiment> with_usable_device(std::vector<Experiment> experiments,
                                           const std::function<void(const std::string&)>& inform) {
  std::string best;
  std::set<std::string> seen;
  std::vector<Experiment> usable;
  for (Experiment& experiment : experiments) {
    if (experiment.device == "auto" && best.empty()) best = usable_device("auto", inform);
    experiment.device = experiment.device == "auto" ? best : usable_device(experiment.device, inform);
    if (seen.insert(to_toml(experiment)).second) usable.push_back(std::move(experiment));
  }
  return usable;
}

}  // namespace actlab
