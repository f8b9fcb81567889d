// The one call of OpenBLAS that everything here is made of.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/cpu/products.h"

namespace actlab {

/// y (m, n) = op(a) (m, k) * op(b) (k, n) + beta * y, row-major and dense; with beta = 0 y is not read.
/// Throws Error where a size does not fit OpenBLAS's int.
void gemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
          const float* b, float beta, float* y);

/// The same with `line` elements from row to row as stored, in each of the three.
void gemm(std::int64_t m, std::int64_t n, std::int64_t k, const BlasMatrix& a, const BlasMatrix& b,
          float beta, float* y, std::int64_t y_line);

/// That it fits.
void check_blas_size(std::int64_t size);

/// "OpenBLAS 0.3.21".
std::string openblas_version();

}  // namespace actlab
