// Values of an activation as a family of kernels computes them.
#pragma once

#include <vector>

#include "kernels/backend.h"

namespace actlab {

/// The activation with the default of a parameter that it would observe: single points are no data.
ActivationHandle without_observing(const ActivationHandle& activation);

/// x as rounded to the element type, f(x), and f'(x) by the backward kernel with an upstream gradient of 1.
struct ActivationValues {
  std::vector<double> x, f, df;
  std::vector<double> dparameter;  ///< df / d its learnable parameter, likewise; empty where there is none
};

/// The kernels compute in `memory`.
ActivationValues activation_values(ActivationKernels& kernels, Memory& memory,
                                   const ActivationHandle& activation, DType dtype,
                                   const std::vector<double>& points);

}  // namespace actlab
