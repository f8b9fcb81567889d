// The norm of all gradients, and their clipping by it.
#pragma once

#include <string>
#include <vector>

#include "framework/nn/module.h"

namespace actlab {

struct GradientNorm {
  double norm = 0;              ///< Euclidean, of all gradients as one vector
  std::string not_finite = {};  ///< the first parameter whose gradient is not; then the norm says nothing
  std::vector<double> losses = {};
};

/// Of the parameters that have a gradient. Gradients of any finite size have a finite norm. The values of
/// `losses`, scalars that are not negative, come with it: a device is waited for once.
GradientNorm gradient_norm(const std::vector<NamedParameter>& parameters,
                           const std::vector<Tensor>& losses = {});

/// Multiplies every gradient by a number.
void scale_gradients(const std::vector<NamedParameter>& parameters, double factor);

/// Multiplies every gradient by max_norm / norm where their norm is above max_norm > 0. Pascanu et al. 2013,
/// arXiv:1211.5063.
void clip_gradients(const std::vector<NamedParameter>& parameters, double norm, double max_norm);

void clear_gradients(const std::vector<NamedParameter>& parameters);

}  // namespace actlab
