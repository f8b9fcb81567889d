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
  ACTLAB_CHECK(size <= std::numeric_limits<blasint>::max(), "OpenBLAS: size ", size,
               " does not fit its integers; use gemm = \"onednn\" or a smaller batch");
  return static_cast<blasint>(size);
}

// The OpenMP build follows OpenMP by itself, also inside parallel regions; the others keep their own count.
void follow_openmp_threads() {
  if (openblas_get_parallel() != OPENBLAS_OPENMP)
    openblas_set_num_threads(omp_in_parallel() != 0 ? 1 : omp_get_max_threads());
}

}  // namespace

void gemm(bool transpose_a, bool transpose_b, std::int64_t m, std::int64_t n, std::int64_t k, const float* a,
          const float* b, float beta, float* y) {
  if (m == 0 || n == 0) return;
  const blasint rows = blas_size(m), columns = blas_size(n), depth = blas_size(k);
  // A leading dimension is at least 1, also where there is nothing to lead.
  const blasint a_line = std::max<blasint>(1, transpose_a ? rows : depth);
  const blasint b_line = std::max<blasint>(1, transpose_b ? depth : columns);
  follow_openmp_threads();
  cblas_sgemm(CblasRowMajor, transpose_a ? CblasTrans : CblasNoTrans, transpose_b ? CblasTrans : CblasNoTrans,
              rows, columns, depth, 1.0f, a, a_line, b, b_line, beta, y, columns);
}

std::string openblas_version() {
  // "OpenBLAS 0.3.21 NO_LAPACKE ..."
  std::istringstream config(openblas_get_config());
  std::string name, version;
  config >> name >> version;
  return name + " " + version;
}

}  // namespace actlab
