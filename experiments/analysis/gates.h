// Random gates that are activations in the mean. GELU is one: x times a coin that shows 1 with probability
// Phi(x). Hendrycks, Gimpel 2016, arXiv:1606.08415.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace actlab {

/// A gate's mean at a point, sampled beside the function that it should be.
struct GateMean {
  std::string gate;
  std::string equals;
  double x;
  double sampled;
  double standard_error;
  double exact;  ///< of GELU and SiLU by the float kernels that training uses, else in double
};

/// x Bernoulli(Phi(x)), ReLU(x + noise), dropout and x Bernoulli(sigmoid(x)) at each point, with as many
/// samples (2 or more) of each. Equal seeds give equal numbers.
std::vector<GateMean> gate_means(const std::vector<double>& points, std::int64_t samples, std::uint64_t seed);

}  // namespace actlab
