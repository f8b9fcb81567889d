// Largest errors of an activation's values, whoever computed them, at the same floats.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/backend.h"

namespace actlab {

/// Every stride-th float from 0 to `most`, each with both signs.
std::vector<float> sampled_floats(std::uint32_t stride, float most);

/// Of f in units in the last place of the exact value, of f' in the contract's units; infinite for NaN.
struct LargestErrors {
  double f = 0, f_at = 0;
  double df = 0, df_at = 0;
};

/// Errors of f and df, which are of the activation and its derivative at x, against its double bodies.
LargestErrors largest_errors(const ActivationHandle& activation, const std::vector<float>& x,
                             const std::vector<float>& f, const std::vector<float>& df);

/// Those of a family's kernels.
LargestErrors largest_errors(const ActivationHandle& activation, const std::vector<float>& x,
                             ActivationKernels& kernels);

}  // namespace actlab
