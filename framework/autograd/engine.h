// The backward pass, and what a graph keeps for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/core/tensor.h"

namespace actlab {

/// Walks the graph of the scalar `root` once, newest node first, adds to the gradients of its leaves, and
/// releases what each node saved as soon as it is used. Throws Error before any gradient changes if root is
/// no scalar or has no graph, if part of the graph was walked before (gradients are of first order only), or
/// if a saved tensor has been written since.
void run_backward(const Tensor& root);

/// Bytes that one layer's operations keep for backward.
struct SavedBytes {
  std::string layer;
  std::int64_t bytes;
};

/// Every distinct buffer that nodes under `root` keep, parameters apart, under the layer that kept it first,
/// oldest first.
std::vector<SavedBytes> saved_bytes_by_layer(const Tensor& root);
/// Their sum.
std::int64_t saved_bytes(const Tensor& root);

}  // namespace actlab
