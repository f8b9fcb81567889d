// The part of cuBLASLt that the library uses: D = alpha * op(A) * op(B) + beta * C, with a bias. Sums are in
// double, in order. What cuBLASLt refuses for its sizes or types is refused here.
#include <cublasLt.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <vector>

#include "kernels/cuda/cublaslt/library.h"
#include "tests/cuda_emulation/device_calls.h"
#include "tests/cuda_emulation/device_memory.h"
#include "tests/cuda_emulation/elements.h"

namespace {

using emu::load, emu::store;

/// What every product asks for, and does not use.
constexpr std::size_t workspace_bytes = 256;

struct Layout {
  cudaDataType_t type;
  std::uint64_t rows, columns;
  std::int64_t leading;
  std::int32_t order = CUBLASLT_ORDER_COL;
  std::int32_t batch = 1;
  std::int64_t stride = 0;  // from matrix to matrix

  bool valid() const {
    return leading >= static_cast<std::int64_t>(order == CUBLASLT_ORDER_COL ? rows : columns) && batch > 0;
  }
  std::size_t at(std::uint64_t row, std::uint64_t column, std::int32_t matrix) const {
    const auto r = static_cast<std::int64_t>(row), c = static_cast<std::int64_t>(column);
    const std::int64_t place = order == CUBLASLT_ORDER_COL ? r + c * leading : r * leading + c;
    return static_cast<std::size_t>(matrix * stride + place);
  }
};

struct Description {
  cublasComputeType_t compute;
  cudaDataType_t scale;
  cublasOperation_t transpose_a = CUBLAS_OP_N, transpose_b = CUBLAS_OP_N;
  cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  const void* bias = nullptr;
  std::int32_t bias_type = -1;  // that of D
};

struct Preference {
  std::uint64_t workspace = 0;
  std::array<std::uint32_t, 4> alignment{256, 256, 256, 256};  // in bytes, of A, B, C and D
};
struct Handle {};

struct Product {
  Description description;
  Layout a, b, c, d;
  std::uint64_t m, n, k;
};

/// op(matrix number `i`), row by row, as it is multiplied.
std::vector<double> unpack(const void* array, const Layout& layout, cublasOperation_t op, std::int32_t i,
                           bool tf32) {
  const bool transposed = op != CUBLAS_OP_N;
  const std::uint64_t rows = transposed ? layout.columns : layout.rows;
  const std::uint64_t columns = transposed ? layout.rows : layout.columns;
  std::vector<double> values;
  values.reserve(rows * columns);
  for (std::uint64_t r = 0; r < rows; ++r)
    for (std::uint64_t c = 0; c < columns; ++c)
      values.push_back(load(array, layout.type, transposed ? layout.at(c, r, i) : layout.at(r, c, i)));
  if (tf32) std::ranges::transform(values, values.begin(), emu::as_tf32);
  return values;
}

void multiply(const Product& p, float alpha, const void* a_array, const void* b_array, float beta,
              const void* c_array, void* d_array) {
  const Description& description = p.description;
  const auto bias_type =
      description.bias_type < 0 ? p.d.type : static_cast<cudaDataType_t>(description.bias_type);
  const bool tf32 = description.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
  std::vector<double> sums(p.n);
  for (std::int32_t i = 0; i < p.d.batch; ++i) {
    const std::vector<double> a = unpack(a_array, p.a, description.transpose_a, i, tf32);
    const std::vector<double> b = unpack(b_array, p.b, description.transpose_b, i, tf32);
    for (std::uint64_t row = 0; row < p.m; ++row) {
      sums.assign(p.n, 0);
      for (std::uint64_t inner = 0; inner < p.k; ++inner) {
        const double factor = a[row * p.k + inner];
        const double* const b_row = b.data() + inner * p.n;
        for (std::uint64_t column = 0; column < p.n; ++column) sums[column] += factor * b_row[column];
      }
      for (std::uint64_t column = 0; column < p.n; ++column) {
        double value = static_cast<double>(alpha) * sums[column];
        if (beta != 0) value += static_cast<double>(beta) * load(c_array, p.c.type, p.c.at(row, column, i));
        if (description.epilogue == CUBLASLT_EPILOGUE_BIAS) value += load(description.bias, bias_type, row);
        store(d_array, p.d.type, p.d.at(row, column, i), static_cast<float>(value));
      }
    }
  }
}

/// Whether all matrices of the batch are as aligned as the algorithm was promised.
bool aligned(const void* array, const Layout& layout, std::uint64_t alignment) {
  const std::uint64_t element = layout.type == CUDA_R_32F ? 4 : 2;
  const std::uint64_t stride = layout.batch > 1 ? static_cast<std::uint64_t>(layout.stride) * element : 0;
  return (reinterpret_cast<std::uintptr_t>(array) | stride) % alignment == 0;
}

template <class T, class Opaque>
T& object(Opaque handle) {
  return *reinterpret_cast<T*>(handle);
}

template <class Opaque, class T>
cublasStatus_t create(Opaque* handle, const T& value) {
  *handle = reinterpret_cast<Opaque>(new T(value));
  return CUBLAS_STATUS_SUCCESS;
}

template <class T, class Opaque>
cublasStatus_t destroy(Opaque handle) {
  delete reinterpret_cast<T*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t set(T& attribute, const void* value, std::size_t bytes) {
  if (bytes != sizeof attribute) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&attribute, value, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

bool is_type(cudaDataType_t type) { return type == CUDA_R_32F || type == CUDA_R_16BF || type == CUDA_R_16F; }

/// Whether there is such a product, of these types.
cublasStatus_t check(const Product& p) {
  const Description& description = p.description;
  const bool sizes = p.a.valid() && p.b.valid() && p.c.valid() && p.d.valid() && p.d.rows == p.m &&
                     p.d.columns == p.n && p.c.rows == p.m && p.c.columns == p.n && p.a.batch == p.d.batch &&
                     p.b.batch == p.d.batch && p.c.batch == p.d.batch;
  if (!sizes) return CUBLAS_STATUS_INVALID_VALUE;
  const bool types = is_type(p.a.type) && p.a.type == p.b.type && p.c.type == p.d.type &&
                     (p.d.type == CUDA_R_32F || p.d.type == p.a.type) && description.scale == CUDA_R_32F;
  const bool compute = description.compute == CUBLAS_COMPUTE_32F ||
                       description.compute == CUBLAS_COMPUTE_32F_PEDANTIC ||
                       (description.compute == CUBLAS_COMPUTE_32F_FAST_TF32 && p.a.type == CUDA_R_32F);
  const bool epilogue = description.epilogue == CUBLASLT_EPILOGUE_DEFAULT ||
                        (description.epilogue == CUBLASLT_EPILOGUE_BIAS &&
                         (description.bias_type < 0 || description.bias_type == p.d.type));
  return types && compute && epilogue ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t describe(cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                        cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d, Product& p) {
  p = {object<Description>(description),
       object<Layout>(a),
       object<Layout>(b),
       object<Layout>(c),
       object<Layout>(d),
       0,
       0,
       0};
  const bool ta = p.description.transpose_a != CUBLAS_OP_N, tb = p.description.transpose_b != CUBLAS_OP_N;
  p.m = ta ? p.a.columns : p.a.rows;
  p.k = ta ? p.a.rows : p.a.columns;
  p.n = tb ? p.b.rows : p.b.columns;
  return p.k == (tb ? p.b.columns : p.b.rows) ? check(p) : CUBLAS_STATUS_INVALID_VALUE;
}

}  // namespace

std::size_t cublasLtGetVersion() { return CUBLAS_VERSION; }
const char* cublasLtGetStatusName(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "CUBLAS_STATUS_NOT_SUPPORTED";
    default:
      return "unknown status";
  }
}
const char* cublasLtGetStatusString(cublasStatus_t status) { return cublasLtGetStatusName(status); }

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) { return create(handle, Handle{}); }
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) { return destroy<Handle>(handle); }

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  return create(description, Description{.compute = compute, .scale = scale});
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  return destroy<Description>(description);
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t attribute, const void* value,
                                              std::size_t bytes) {
  Description& d = object<Description>(description);
  switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return set(d.transpose_a, value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return set(d.transpose_b, value, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
      return set(d.epilogue, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
      return set(d.bias, value, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
      return set(d.bias_type, value, bytes);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType_t type,
                                          std::uint64_t rows, std::uint64_t columns, std::int64_t leading) {
  return create(layout, Layout{.type = type, .rows = rows, .columns = columns, .leading = leading});
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) { return destroy<Layout>(layout); }
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute, const void* value,
                                                std::size_t bytes) {
  Layout& l = object<Layout>(layout);
  switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_ORDER:
      return set(l.order, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
      return set(l.batch, value, bytes);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
      return set(l.stride, value, bytes);
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return create(preference, Preference{});
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  return destroy<Preference>(preference);
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, std::size_t bytes) {
  Preference& p = object<Preference>(preference);
  switch (attribute) {
    case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
      return set(p.workspace, value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
      return set(p.alignment[0], value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
      return set(p.alignment[1], value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
      return set(p.alignment[2], value, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
      return set(p.alignment[3], value, bytes);
    case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
      return CUBLAS_STATUS_SUCCESS;  // a sum has no parts here
    default:
      return CUBLAS_STATUS_NOT_SUPPORTED;
  }
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t description,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t* results, int* found) {
  *found = 0;
  Product p;
  if (wanted < 1) return CUBLAS_STATUS_INVALID_VALUE;
  if (const cublasStatus_t status = describe(description, a, b, c, d, p); status != CUBLAS_STATUS_SUCCESS)
    return status;
  *results = {};
  const Preference& asked = object<Preference>(preference);
  if (asked.workspace < workspace_bytes) return CUBLAS_STATUS_NOT_SUPPORTED;
  results->workspaceSize = workspace_bytes;
  std::copy(asked.alignment.begin(), asked.alignment.end(), results->algo.data);
  *found = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t description, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                              cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t c_layout, void* d, cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t* algorithm, void* workspace, std::size_t bytes,
                              cudaStream_t stream) {
  Product p;
  const cublasStatus_t status = describe(description, a_layout, b_layout, c_layout, d_layout, p);
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  for (const void* const array : {a, b, c, static_cast<const void*>(d), p.description.bias})
    if (!emu::reachable(array)) return CUBLAS_STATUS_INVALID_VALUE;
  for (const auto& [array, layout, i] : {std::tuple(a, p.a, 0), std::tuple(b, p.b, 1), std::tuple(c, p.c, 2),
                                         std::tuple<const void*, Layout, int>(d, p.d, 3)})
    if (algorithm != nullptr && !aligned(array, layout, algorithm->data[i]))
      return CUBLAS_STATUS_INVALID_VALUE;
  if (bytes < workspace_bytes || emu::kind_of(workspace, bytes) == emu::Kind::host)
    return CUBLAS_STATUS_INVALID_VALUE;
  emu::enqueue(stream,
               [=, alpha = *static_cast<const float*>(alpha), beta = *static_cast<const float*>(beta)] {
                 const emu::Access access;
                 multiply(p, alpha, a, b, beta, c, d);
               });
  return CUBLAS_STATUS_SUCCESS;
}

const actlab::cublaslt::Library& actlab::cublaslt::library() {
  static const Library emulated = {.version = cublasLtGetVersion,
                                   .status_string = cublasLtGetStatusString,
                                   .status_name = cublasLtGetStatusName,
                                   .create = cublasLtCreate,
                                   .destroy = cublasLtDestroy,
                                   .create_multiply = cublasLtMatmulDescCreate,
                                   .destroy_multiply = cublasLtMatmulDescDestroy,
                                   .set_multiply = cublasLtMatmulDescSetAttribute,
                                   .create_layout = cublasLtMatrixLayoutCreate,
                                   .destroy_layout = cublasLtMatrixLayoutDestroy,
                                   .set_layout = cublasLtMatrixLayoutSetAttribute,
                                   .create_preference = cublasLtMatmulPreferenceCreate,
                                   .destroy_preference = cublasLtMatmulPreferenceDestroy,
                                   .set_preference = cublasLtMatmulPreferenceSetAttribute,
                                   .algorithms = cublasLtMatmulAlgoGetHeuristic,
                                   .matmul = cublasLtMatmul};
  return emulated;
}
