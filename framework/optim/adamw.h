// Adam with decoupled weight decay.
#pragma once

#include "framework/optim/optimizer.h"

namespace actlab {

/// Steps by the mean of past gradients over the root of the mean of their squares, both with the bias of
/// their start corrected; weights shrink by lr * weight_decay apart from that. Loshchilov and Hutter 2017,
/// arXiv:1711.05101, with the decay multiplied by lr as in PyTorch; without decay, Kingma and Ba 2014,
/// arXiv:1412.6980.
OptimizerType adamw();

}  // namespace actlab
