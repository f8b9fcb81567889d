// Activations as functions of one number.
#include "experiments/cli/plain_activation.h"

#include "experiments/runner/activation_values.h"
#include "kernels/error.h"

namespace actlab {

ActivationHandle plain_activation(std::string_view verb, const std::string& name) {
  const ActivationHandle activation = without_observing(ActivationHandle::parse(name));
  if (activation.gated())
    throw ConfigError(concat(verb, ": '", name, "' is a gated form; ", verb, " '", activation.info().name,
                             "', which it applies to its gate"));
  return activation;
}

}  // namespace actlab
