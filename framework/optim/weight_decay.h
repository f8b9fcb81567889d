// Which parameters weight decay shrinks: one rule for every optimizer.
#pragma once

#include <string>
#include <vector>

#include "framework/core/options.h"
#include "framework/nn/module.h"

namespace actlab {

/// The options `weight_decay`, with its default and help, and `decay_biases`.
std::vector<Option> weight_decay_options(double fallback, std::string help);

/// The decay of a parameter: `weight_decay`, but 0 for vectors and scalars (biases, norm scales) where
/// `decay_biases` is off, and always 0 for trained parameters of activations, whose natural value is not 0
/// (He et al. 2015, arXiv:1502.01852).
double weight_decay_of(const NamedParameter& parameter, const Options& options);

}  // namespace actlab
