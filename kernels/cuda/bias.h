// A bias added to the rows of a matrix, for products whose library cannot.
#pragma once

#include "kernels/array.h"

namespace actlab::cuda {

/// y (rows, columns) = x (rows, columns) + bias (columns), rounded once. The bias is f32, x f32 or of y's
/// type; y may be x.
void add_bias(ConstArray x, ConstArray bias, Array y);

}  // namespace actlab::cuda
