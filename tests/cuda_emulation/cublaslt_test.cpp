// The stand-in of cuBLASLt: layouts, transposes, batches, types, bias; and that wrong sizes are refused.
#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "tests/cuda_emulation/managed.h"

namespace actlab::test {
namespace {

struct Matrix {
  std::int64_t rows, columns;
  bool row_major = false;
  int padding = 0;  // between columns, or rows
  std::int64_t leading() const { return (row_major ? columns : rows) + padding; }
  std::int64_t elements() const { return leading() * (row_major ? rows : columns) + 5; }  // and a gap
  std::size_t at(std::int64_t matrix, std::int64_t row, std::int64_t column) const {
    return static_cast<std::size_t>(matrix * elements() +
                                    (row_major ? row * leading() + column : column * leading() + row));
  }
};

struct Case {
  Matrix a, b, d;
  bool transpose_a = false, transpose_b = false;
  int batch = 1;
  bool bias = false;
  float alpha = 1, beta = 0;
  std::uint32_t alignment = 2;  // that cuBLASLt may count on
};

template <class T>
constexpr cudaDataType_t type_of = sizeof(T) == 4                     ? CUDA_R_32F
                                   : std::is_same_v<T, __nv_bfloat16> ? CUDA_R_16BF
                                                                      : CUDA_R_16F;

float value(std::size_t i) { return static_cast<float>(static_cast<int>(i * 37 % 101) - 50) / 16; }

// Whether D = alpha * op(A) op(B) + beta * C + bias, C being what D held; or what cuBLASLt says.
template <class T, class R>
cublasStatus_t multiply(const Case& c, double* largest_error) {
  const auto count = [&](const Matrix& m) { return static_cast<std::size_t>(c.batch * m.elements()); };
  Managed<T> a(count(c.a)), b(count(c.b));
  Managed<R> d(count(c.d)), bias(static_cast<std::size_t>(c.d.rows));
  Managed<char> workspace(4096);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = T(value(i));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = T(value(i + 50));
  for (std::size_t i = 0; i < d.size(); ++i) d[i] = R(value(i + 7));
  for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = R(value(i + 3));

  cublasLtHandle_t handle = nullptr;
  cublasLtMatmulDesc_t description = nullptr;
  cublasLtCreate(&handle);
  cublasLtMatmulDescCreate(&description, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const auto describe = [&](cublasLtMatmulDescAttributes_t attribute, auto v) {
    EXPECT_EQ(cublasLtMatmulDescSetAttribute(description, attribute, &v, sizeof v), CUBLAS_STATUS_SUCCESS);
  };
  describe(CUBLASLT_MATMUL_DESC_TRANSA, c.transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N);
  describe(CUBLASLT_MATMUL_DESC_TRANSB, c.transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N);
  if (c.bias) {
    describe(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
    describe(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<const void*>(bias.data()));
  }
  const auto layout = [&](const Matrix& m, cudaDataType_t type) {
    cublasLtMatrixLayout_t made = nullptr;
    cublasLtMatrixLayoutCreate(&made, type, static_cast<std::uint64_t>(m.rows),
                               static_cast<std::uint64_t>(m.columns), m.leading());
    const auto set = [&](cublasLtMatrixLayoutAttribute_t attribute, auto v) {
      EXPECT_EQ(cublasLtMatrixLayoutSetAttribute(made, attribute, &v, sizeof v), CUBLAS_STATUS_SUCCESS);
    };
    set(CUBLASLT_MATRIX_LAYOUT_ORDER, m.row_major ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL);
    set(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, c.batch);
    set(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, m.elements());
    return made;
  };
  const cublasLtMatrixLayout_t a_layout = layout(c.a, type_of<T>), b_layout = layout(c.b, type_of<T>),
                               d_layout = layout(c.d, type_of<R>);
  Managed<R> before(d.size());
  std::copy(d.begin(), d.end(), before.begin());
  cublasLtMatmulPreference_t preference = nullptr;
  cublasLtMatmulPreferenceCreate(&preference);
  const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, auto v) {
    EXPECT_EQ(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &v, sizeof v),
              CUBLAS_STATUS_SUCCESS);
  };
  prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{workspace.size()});
  for (const auto attribute :
       {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
    prefer(attribute, c.alignment);
  cublasLtMatmulHeuristicResult_t choice{};
  int found = 0;
  cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(handle, description, a_layout, b_layout, d_layout,
                                                         d_layout, preference, 1, &choice, &found);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = cublasLtMatmul(handle, description, &c.alpha, a.data(), a_layout, b.data(), b_layout, &c.beta,
                            d.data(), d_layout, d.data(), d_layout, &choice.algo, workspace.data(),
                            choice.workspaceSize, nullptr);
  cublasLtMatmulPreferenceDestroy(preference);
  for (const cublasLtMatrixLayout_t made : {a_layout, b_layout, d_layout}) cublasLtMatrixLayoutDestroy(made);
  cublasLtMatmulDescDestroy(description);
  cublasLtDestroy(handle);
  if (status != CUBLAS_STATUS_SUCCESS) return status;

  *largest_error = 0;
  const std::int64_t inner = c.transpose_a ? c.a.rows : c.a.columns;
  for (int i = 0; i < c.batch; ++i) {
    for (std::int64_t row = 0; row < c.d.rows; ++row) {
      for (std::int64_t column = 0; column < c.d.columns; ++column) {
        double expected = 0;
        for (std::int64_t k = 0; k < inner; ++k) {
          const T left = a[c.transpose_a ? c.a.at(i, k, row) : c.a.at(i, row, k)];
          const T right = b[c.transpose_b ? c.b.at(i, column, k) : c.b.at(i, k, column)];
          expected +=
              static_cast<double>(static_cast<float>(left)) * static_cast<double>(static_cast<float>(right));
        }
        const auto number = [](R v) { return static_cast<double>(static_cast<float>(v)); };
        expected = static_cast<double>(c.alpha) * expected +
                   static_cast<double>(c.beta) * number(before[c.d.at(i, row, column)]) +
                   (c.bias ? number(bias[static_cast<std::size_t>(row)]) : 0);
        const double error = std::fabs(number(d[c.d.at(i, row, column)]) - expected);
        *largest_error = std::max(*largest_error, error / (1 + std::fabs(expected)));
      }
    }
  }
  return CUBLAS_STATUS_SUCCESS;
}

template <class T, class R>
void expect_right(const Case& c, double tolerance) {
  double error = 1;
  EXPECT_EQ((multiply<T, R>(c, &error)), CUBLAS_STATUS_SUCCESS);
  EXPECT_LE(error, tolerance);
}

TEST(CudaEmulationMatmul, EveryLayoutAndTranspose) {
  for (int bits = 0; bits < 32; ++bits) {
    SCOPED_TRACE(bits);
    Case c{.a = {3, 5},
           .b = {5, 4},
           .d = {3, 4},
           .transpose_a = (bits & 1) != 0,
           .transpose_b = (bits & 2) != 0};
    if (c.transpose_a) std::swap(c.a.rows, c.a.columns);
    if (c.transpose_b) std::swap(c.b.rows, c.b.columns);
    c.a.row_major = (bits & 4) != 0;
    c.b.row_major = (bits & 8) != 0;
    c.d.row_major = (bits & 16) != 0;
    expect_right<float, float>(c, 1e-7);
    c.a.padding = 2;
    c.d.padding = 1;
    c.batch = 3;
    c.bias = true;
    c.alpha = 0.5f;
    c.beta = 2;
    expect_right<float, float>(c, 1e-7);
  }
}

TEST(CudaEmulationMatmul, HalvesAreRoundedOnce) {
  Case c{.a = {7, 33}, .b = {33, 6}, .d = {7, 6}};
  expect_right<__nv_bfloat16, float>(c, 1e-7);
  expect_right<__half, float>(c, 1e-7);
  c.bias = true;
  expect_right<__nv_bfloat16, __nv_bfloat16>(c, 0x1p-8);
  expect_right<__half, __half>(c, 0x1p-11);
}

TEST(CudaEmulationMatmul, LargeProductsAreQuick) {
  expect_right<float, float>({.a = {128, 4096}, .b = {4096, 10}, .d = {128, 10}}, 1e-7);
}

TEST(CudaEmulationMatmul, SizesAndTypesThatDoNotFitAreRefused) {
  double error = 0;
  EXPECT_EQ((multiply<float, float>({.a = {3, 5}, .b = {4, 4}, .d = {3, 4}}, &error)),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ((multiply<float, float>({.a = {3, 5}, .b = {5, 4}, .d = {4, 4}}, &error)),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ((multiply<float, float>({.a = {3, 5, false, -1}, .b = {5, 4}, .d = {3, 4}}, &error)),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ((multiply<float, __half>({.a = {3, 5}, .b = {5, 4}, .d = {3, 4}}, &error)),
            CUBLAS_STATUS_NOT_SUPPORTED);
}

TEST(CudaEmulationMatmul, AlignmentIsWhatWasPromised) {
  Case c{.a = {3, 5}, .b = {5, 4}, .d = {3, 4}, .alignment = 256};
  expect_right<float, float>(c, 1e-7);
  c.batch = 2;
  double error = 0;
  EXPECT_EQ((multiply<float, float>(c, &error)), CUBLAS_STATUS_INVALID_VALUE);
  c.alignment = 4;
  expect_right<float, float>(c, 1e-7);
}

}  // namespace
}  // namespace actlab::test
