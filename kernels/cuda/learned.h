// The check of trained parameters of activations that lie in device memory.
#pragma once

#include "kernels/activation.h"
#include "kernels/array.h"

namespace actlab::cuda {

/// As actlab::check_learned, without a wait: the next wait for the device throws the first wrong value.
void check_learned(const ActivationHandle& activation, ConstArray learned);

}  // namespace actlab::cuda
