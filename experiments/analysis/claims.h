// Claims about GELU that circulate, each beside what is found here; README.md of this folder has the sources.
#pragma once

#include <string>
#include <vector>

#include "experiments/results/record.h"

namespace actlab {

struct Claim {
  std::string claim;     ///< as it is told
  std::string quantity;  ///< what decides it
  Cell claimed;
  Cell here;            ///< absent where it is neither computed nor measured
  std::string verdict;  ///< true, false; depends: on more than the claim says; no source: cannot be traced
  std::string how;      ///< computed, measured, published
  std::string note;
};

/// Formulas and values, computed in double from the bodies of the activations.
std::vector<Claim> mathematical_claims();

/// Bytes that training keeps for backward, of the small CNN.
std::vector<Claim> memory_claims();

/// What only publications could decide.
std::vector<Claim> published_claims();

}  // namespace actlab
