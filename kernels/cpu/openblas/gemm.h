// The one call of OpenBLAS that everything here is made of.
#pragma once

#include <cstdint>
#include <string>

namespace actlab {

/// y (m, n) = op(a) (m, k) * op(b) (k, n) + beta * y, row-major and dense; with beta = 0 y is not read.
/// Throws Error where a size does not fit OpenBLAS's int.
void gemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
          const float* b, float beta, float* y);

/// "OpenBLAS 0.3.21".
std::string openblas_version();

}  // namespace actlab
