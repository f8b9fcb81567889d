// Arrays of bf16 as floats and back.
#pragma once

#include <cstdint>

#include "kernels/array.h"

namespace actlab {

/// y = x, n elements.
void widen(const BFloat16* x, std::int64_t n, float* y);
/// y = x rounded to nearest even, subnormals kept, n elements.
void narrow(const float* x, std::int64_t n, BFloat16* y);

}  // namespace actlab
