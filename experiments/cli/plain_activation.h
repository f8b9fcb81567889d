// Activations as functions of one number, for the verbs that look at them.
#pragma once

#include <string>
#include <string_view>

#include "kernels/activation.h"

namespace actlab {

/// The activation of that name; where a parameter would be observed there are no data, and it has its
/// default. Throws ConfigError for a gated form, which is a function of two, "VERB: ...".
ActivationHandle plain_activation(std::string_view verb, const std::string& name);

}  // namespace actlab
