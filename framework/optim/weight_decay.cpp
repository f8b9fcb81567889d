// The options of weight decay, and the rule.
#include "framework/optim/weight_decay.h"

namespace actlab {

std::vector<Option> weight_decay_options(double fallback, std::string help) {
  return {{.name = "weight_decay", .fallback = fallback, .help = std::move(help), .least = 0},
          {.name = "decay_biases",
           .fallback = true,
           .help = "whether biases and norm parameters (rank 1) decay as weights do"}};
}

double weight_decay_of(const Tensor& parameter, const Options& options) {
  const bool decays = options.flag("decay_biases") || parameter.shape().rank() > 1;
  return decays ? options.number("weight_decay") : 0.0;
}

}  // namespace actlab
