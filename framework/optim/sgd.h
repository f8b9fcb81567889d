// Stochastic gradient descent with momentum.
#pragma once

#include "framework/optim/optimizer.h"

namespace actlab {

/// g = gradient + weight_decay * w; v = momentum * v + g (v = 0 at first); w -= lr * v, or, with Nesterov's
/// momentum, w -= lr * (g + momentum * v). Sutskever et al. 2013.
OptimizerType sgd();

}  // namespace actlab
