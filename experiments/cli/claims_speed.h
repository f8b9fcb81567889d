// Claims about speed, which only a clock decides.
#pragma once

#include <vector>

#include "experiments/analysis/claims.h"

namespace actlab {

/// Ratios of times on this machine's CPU, by its kernels; without `measure` nothing is timed.
std::vector<Claim> speed_claims(bool measure);

}  // namespace actlab
