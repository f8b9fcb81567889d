// sgemm with checked sizes and as many threads as OpenMP has.
#include "kernels/cpu/openblas/gemm.h"

#include <cblas.h>
#include <omp.h>

#include <algorithm>
#include <limits>
#include <sstream>

#include "kernels/error.h"

namespace actlab {
namespace {

blasint blas_size(std::int64_t size) {
  check_blas_size(size);
  return static_cast<blasint>(size);
}

// The OpenMP build follows OpenMP by itself, also inside parallel regions; the others keep their own count.
void follow_openmp_threads() {
  if (openblas_get_parallel() != OPENBLAS_OPENMP)
    openblas_set_num_threads(omp_in_parallel() != 0 ? 1 : omp_get_max_threads());
}

}  // namespace

void check_blas_size(std::int64_t size) {
  ACTLAB_CHECK(size <= std::numeric_limits<blasint>::max(), "OpenBLAS: size ", size,
               " does not fit its integers; use gemm = \"onednn\" or a smaller batch");
}

void gemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
          const float* b, float beta, float* y) {
  gemm(m, n, k, {a, transpose_a, transpose_a ? m : k}, {b, transpose_b, transpose_b ? k : n}, beta, y, n);
}

void gemm(std::int64_t m, std::int64_t n, std::int64_t k, const BlasMatrix& a, const BlasMatrix& b,
          float beta, float* y, std::int64_t y_line) {
  if (m == 0 || n == 0) return;
  // A leading dimension is at least 1, also where there is nothing to lead.
  const auto line = [](std::int64_t elements) { return std::max<blasint>(1, blas_size(elements)); };
  const auto order = [](bool transposed) { return transposed ? CblasTrans : CblasNoTrans; };
  const blasint rows = blas_size(m), columns = blas_size(n), depth = blas_size(k);
  const blasint a_line = line(a.line), b_line = line(b.line), out_line = line(y_line);
  follow_openmp_threads();
  cblas_sgemm(CblasRowMajor, order(a.transposed), order(b.transposed), rows, columns, depth, 1.0f, a.data,
              a_line, b.data, b_line, beta, y, out_line);
}

std::string openblas_version() {
  // "OpenBLAS 0.3.21 NO_LAPACKE ..."
  std::istringstream config(openblas_get_config());
  std::string name, version;
  config >> name >> version;
  return name + " " + version;
}

}  // namespace actlab
