// Copies between a contiguous and a strided array, of elements of any type.
#pragma once

#include <cstddef>

#include "kernels/backend.h"

namespace actlab {

/// y[i] = x[place of i]; an element has 1, 2, 4 or 8 bytes.
void gather_elements(const StridedSizes& sizes, std::size_t element_bytes, const void* x, void* y);
/// x[place of i] = y[i].
void scatter_elements(const StridedSizes& sizes, std::size_t element_bytes, const void* y, void* x);

}  // namespace actlab
