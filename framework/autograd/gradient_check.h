// Holds gradients against central differences, in double on the reference backend. For tests, a user's own
// included.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "framework/core/tensor.h"

namespace actlab {

struct GradientCheckOptions {
  double step = 1e-5;       ///< of the central difference, times max(1, |x|)
  double tolerance = 1e-6;  ///< of |gradient - difference| / max(1, |gradient|, |difference|)
};

struct GradientCheck {
  bool passed = false;
  double worst = 0;     ///< the largest error found
  std::string message;  ///< where it was, with both values
};

/// `f` maps the inputs (f64 tensors of find_backend("reference")) to one tensor of any shape; its elements
/// are summed with fixed random weights, so that no two errors cancel. Every element of every input is tried.
/// Integer tensors are captured by f instead. Throws Error where an input is not f64.
GradientCheck check_gradients(const std::function<Tensor(const std::vector<Tensor>&)>& f,
                              std::vector<Tensor> inputs, const GradientCheckOptions& options = {});

/// Random numbers in [-1, 1], f64, on the reference backend.
Tensor random_input(const Shape& shape, std::uint64_t seed);

}  // namespace actlab
