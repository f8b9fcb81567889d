// Matrix products by their definition.
#include "kernels/reference/cast.h"
#include "kernels/reference/families.h"

namespace actlab {
namespace {

class ReferenceMatmul final : public MatmulKernels {
 public:
  std::string implementation() const override { return std::string(reference_implementation); }
  bool native(DType dtype) const override { return dtype != DType::f16; }

  void matmul(ConstArray a, bool transpose_a, ConstArray b, bool transpose_b, ConstArray bias,
              Array y) override {
    const std::int64_t m = y.shape[0], n = y.shape[1], k = a.shape[transpose_a ? 0 : 1];
    for_operands("matmul", a.dtype, y.dtype, [&]<class T, class Result>(T, Result) {
      const T* a_data = a.as<T>();
      const T* b_data = b.as<T>();
      const auto* bias_data = bias_of<T>(bias);
      Result* out = y.as<Result>();
      for (std::int64_t i = 0; i < m; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          double sum = 0;
          for (std::int64_t l = 0; l < k; ++l) {
            const double left = cast_element<double>(a_data[transpose_a ? l * m + i : i * k + l]);
            const double right = cast_element<double>(b_data[transpose_b ? j * k + l : l * n + j]);
            sum += left * right;
          }
          if (bias_data != nullptr) sum += double{bias_data[j]};
          out[i * n + j] = cast_element<Result>(sum);
        }
      }
    });
  }

  void batched(const BatchedSizes& sizes, ConstArray a, const MatrixPlaces& a_at, ConstArray b,
               const MatrixPlaces& b_at, Array y, const MatrixPlaces& y_at) override {
    const auto place = [&](const MatrixPlaces& at, std::int64_t matrix, std::int64_t row,
                           std::int64_t column) {
      return at.matrix(sizes, matrix) + row * at.row_step + column * at.column_step;
    };
    for_real("batched matmul", y.dtype, [&](auto zero) {
      using T = decltype(zero);
      const T* a_data = a.as<T>();
      const T* b_data = b.as<T>();
      T* out = y.as<T>();
      for (std::int64_t matrix = 0; matrix < sizes.outer * sizes.inner; ++matrix) {
        for (std::int64_t i = 0; i < sizes.m; ++i) {
          for (std::int64_t j = 0; j < sizes.n; ++j) {
            double sum = 0;
            for (std::int64_t l = 0; l < sizes.k; ++l)
              sum += double{a_data[place(a_at, matrix, i, l)]} * double{b_data[place(b_at, matrix, l, j)]};
            out[place(y_at, matrix, i, j)] = static_cast<T>(sum);
          }
        }
      }
    });
  }
};

}  // namespace

std::unique_ptr<MatmulKernels> make_reference_matmul() { return std::make_unique<ReferenceMatmul>(); }

}  // namespace actlab
