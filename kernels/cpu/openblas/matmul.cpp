// Matmul by OpenBLAS: the product is added to rows that hold the bias.
#include "kernels/cpu/bias.h"
#include "kernels/cpu/openblas/families.h"
#include "kernels/cpu/openblas/gemm.h"
#include "kernels/cpu/widening.h"

namespace actlab {
namespace {

class OpenBlasMatmul final : public WideningMatmul {
 public:
  explicit OpenBlasMatmul(Memory& memory) : WideningMatmul(memory, false) {}

  std::string implementation() const override { return openblas_version(); }

  void batched(const BatchedSizes& sizes, ConstArray a, const MatrixPlaces& a_at, ConstArray b,
               const MatrixPlaces& b_at, Array y, const MatrixPlaces& y_at) override {
    for (const std::int64_t size : {sizes.m, sizes.n, sizes.k, a_at.row_step, a_at.column_step, b_at.row_step,
                                    b_at.column_step, y_at.row_step})
      check_blas_size(size);  // here, because a thread of the loop must not throw
    for_each_product(sizes, a, a_at, b, b_at, y, y_at,
                     [&](const BlasMatrix& left, const BlasMatrix& right, float* out, std::int64_t line) {
                       gemm(sizes.m, sizes.n, sizes.k, left, right, 0.0f, out, line);
                     });
  }

 protected:
  void run_matmul(ConstArray a, bool transpose_a, ConstArray b, bool transpose_b, ConstArray bias,
                  Array y) override {
    const std::int64_t m = y.shape[0], n = y.shape[1], k = a.shape[transpose_a ? 0 : 1];
    const float* left = f32("matmul", a);
    const float* right = f32("matmul", b);
    const float* row = f32("matmul", bias);
    float* out = f32("matmul", y);
    const bool starts_filled = row != nullptr || k == 0;
    if (starts_filled) fill_rows(row, m, n, out);
    if (k > 0) gemm(transpose_a, transpose_b, m, n, k, left, right, starts_filled ? 1.0f : 0.0f, out);
  }
};

}  // namespace

std::unique_ptr<MatmulKernels> make_openblas_matmul(Memory& memory) {
  return std::make_unique<OpenBlasMatmul>(memory);
}

}  // namespace actlab
