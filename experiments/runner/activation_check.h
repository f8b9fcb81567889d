// Holds every activation's kernels to the accuracy contract, and its derivative to finite differences.
#pragma once

#include <string>
#include <vector>

#include "kernels/activation.h"

namespace actlab {

/// One activation on one backend and element type.
struct ActivationCheckRow {
  std::string activation;
  std::string backend;  ///< "reference", "cpu avx2"
  std::string dtype;
  std::string what;  ///< "f", "df", "dparameter"
  double error;      ///< largest, in units of the limit below
  double at;         ///< x of the largest error
  double limit;
  bool passed() const { return error <= limit; }  ///< false for NaN
};

/// Of f: units in the last place of the exact value. Of df: units of u max(|f'|, min(|x|, 1) |f''|), u =
/// 2^-24 for f32, 2^-8 for bf16, 2^-11 for f16. Limits: 3 and 4 in f32 for Accuracy::exact; half types round
/// the float result once: 0.501 and 1.01. Of "df, differences" (double): the error of central differences
/// relative to max(1, |f'|), limit 1e-7. Of "dparameter", where a parameter is learnable: units of 1e-5 of
/// the exact value or 1e-6, whichever is more, limit 1; its differences as those of df.
std::vector<ActivationCheckRow> check_activation(const ActivationHandle& activation);

}  // namespace actlab
