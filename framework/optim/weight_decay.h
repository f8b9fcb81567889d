// Which parameters weight decay shrinks: one rule for every optimizer.
#pragma once

#include <string>
#include <vector>

#include "framework/core/options.h"
#include "framework/core/tensor.h"

namespace actlab {

/// The options `weight_decay`, with its default and help, and `decay_biases`.
std::vector<Option> weight_decay_options(double fallback, std::string help);

/// The decay of a parameter: `weight_decay`, but 0 for vectors and scalars (biases, norm scales, parameters
/// of activations) where `decay_biases` is off.
double weight_decay_of(const Tensor& parameter, const Options& options);

}  // namespace actlab
