// Trained parameters of activations as the results of a run hold them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "framework/nn/module.h"

namespace actlab {

/// By name: "act1.beta" where a layer has one value, else "act1.beta.mean", ".min" and ".max" over its
/// channels.
using LearnedValues = std::map<std::string, double>;
LearnedValues learned_values(const std::vector<LearnedParameter>& parameters);

/// From the least to the greatest value of all layers, channels and runs: "beta 0.93..1.21"; empty where
/// there is none.
std::string learned_range(const std::vector<LearnedValues>& runs);

}  // namespace actlab
