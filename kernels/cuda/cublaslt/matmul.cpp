// Matmul by cuBLASLt, which thinks in columns: rows one after the other are to it the columns of the
// transposed matrix, so it is asked for y^T = b^T a^T.
#include <algorithm>
#include <cstdint>
#include <map>
#include <mutex>
#include <ostream>
#include <utility>

#include "kernels/cuda/bias.h"
#include "kernels/cuda/cublaslt/descriptors.h"
#include "kernels/cuda/families.h"
#include "kernels/cuda/loaded_library.h"
#include "kernels/cuda/operands.h"
#include "kernels/cuda/runtime.h"

namespace actlab {
namespace cublaslt {
namespace {

constexpr std::uint64_t most_workspace = std::uint64_t{32} << 20;
/// Matrices of one call: kernels number them by a coordinate of the grid that ends there.
constexpr std::int64_t most_batch = 65'535;
/// Shapes whose plans are kept.
constexpr std::size_t most_plans = 1024;

/// Matrices at equal distances, as they are stored: row by row.
struct Matrices {
  DType dtype;
  std::int64_t rows, columns;
  std::int64_t line;        ///< elements from row to row
  std::int64_t stride;      ///< elements from matrix to matrix
  bool transposed;          ///< in the product
  std::uint32_t alignment;  ///< of each matrix, in bytes
  auto operator<=>(const Matrices&) const = default;
};

/// Products y = a b, of one shape.
struct Products {
  Matrices a, b, y;
  std::int64_t batch;
  bool bias;
  auto operator<=>(const Products&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Products& p) {
  const auto operand = [](const Matrices& m) {
    return concat(Shape{m.rows, m.columns}, m.transposed ? " transposed" : "");
  };
  return out << "matmul " << operand(p.a) << " x " << operand(p.b) << (p.bias ? " + bias" : "") << ", "
             << p.a.dtype << " to " << p.y.dtype << ", batch " << p.batch;
}

Layout layout_of(const Matrices& m, std::int64_t batch) {
  const auto columns = static_cast<std::uint64_t>(m.columns), rows = static_cast<std::uint64_t>(m.rows);
  auto layout = create<Layout>(library().create_layout, type_of(m.dtype), columns, rows, m.line);
  set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<std::int32_t>(batch));
  set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, m.stride);
  return layout;
}

/// What cuBLASLt needs for products of one shape, its choice of an algorithm among it.
struct Plan {
  Plan(cublasLtHandle_t handle, const Products& p, cublasComputeType_t compute, const float* bias)
      : multiply(create<Multiply>(library().create_multiply, compute, CUDA_R_32F)),
        a(layout_of(p.a, p.batch)),
        b(layout_of(p.b, p.batch)),
        y(layout_of(p.y, p.batch)) {
    set(multiply, CUBLASLT_MATMUL_DESC_TRANSA, p.b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    set(multiply, CUBLASLT_MATMUL_DESC_TRANSB, p.a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
    // Its GELU, the tanh form, stays unused: one activation would have another rounding than its own
    // kernel's, and a price that no other can have.
    if (p.bias) {
      set(multiply, CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS);
      set(multiply, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    }
    const auto preference = create<Preference>(library().create_preference);
    set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, most_workspace);
    // Parts of a sum are joined in f32: in the result's type they would be rounded twice.
    set(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
        std::uint32_t{CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, p.b.alignment);
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, p.a.alignment);
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, p.y.alignment);
    set(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, p.y.alignment);
    int found = 0;
    const cublasStatus_t status = library().algorithms(handle, multiply.get(), b.get(), a.get(), y.get(),
                                                       y.get(), preference.get(), 1, &choice, &found);
    // It need not have one that adds a bias.
    if (status == CUBLAS_STATUS_NOT_SUPPORTED && p.bias) return;
    check(status, p);
    usable = found == 1 && choice.state == CUBLAS_STATUS_SUCCESS;
    ACTLAB_CHECK(usable || p.bias, p, ": cuBLASLt has no algorithm");
  }

  Multiply multiply;
  Layout a, b, y;
  cublasLtMatmulHeuristicResult_t choice{};
  bool usable = false;  ///< else the bias is to be added apart
};

std::size_t bytes_of(DType dtype, std::int64_t elements) {
  return static_cast<std::size_t>(elements) * size_of(dtype);
}
const void* element(const ConstArray& array, std::int64_t i) {
  return static_cast<const char*>(array.data) + bytes_of(array.dtype, i);
}

/// Matrices (rows, columns) of the product, of which the first begins at `first`.
Matrices matrices(const void* first, DType dtype, std::int64_t rows, std::int64_t columns,
                  const MatrixPlaces& at, std::int64_t stride) {
  const bool transposed = at.column_step != 1;
  if (transposed) std::swap(rows, columns);
  // A single line may be as long as it likes, whatever the step to the next one would be.
  const std::int64_t line = std::max(transposed ? at.column_step : at.row_step, columns);
  // The largest power of two, to 256, that divides every matrix's address.
  const std::uintptr_t places = reinterpret_cast<std::uintptr_t>(first) | bytes_of(dtype, stride) | 256;
  return {dtype, rows, columns, line, stride, transposed, static_cast<std::uint32_t>(places & -places)};
}

class Matmul final : public MatmulKernels {
 public:
  Matmul(Memory& memory, Multiplication multiplication)
      : memory_(memory), tf32_(multiplication == Multiplication::tf32) {
    library();
  }

  std::string implementation() const override { return loaded_cublaslt() + (tf32_ ? ", TF32" : ""); }
  bool native(DType dtype) const override { return cuda::native(dtype); }

  void matmul(ConstArray a, bool transpose_a, ConstArray b, bool transpose_b, ConstArray bias,
              Array y) override {
    cuda::check_operands("matmul", a.dtype, b.dtype, y.dtype);
    const std::int64_t m = y.shape[0], n = y.shape[1], k = a.shape[transpose_a ? 0 : 1];
    if (m == 0 || n == 0) return;
    if (k == 0) {
      memory_.zero(y.data, static_cast<std::int64_t>(bytes_of(y.dtype, m * n)));
      if (bias.data != nullptr) cuda::add_bias(y, bias, y);
      return;
    }
    const auto places = [](const ConstArray& x, bool transposed) {
      const MatrixPlaces at{0, 0, 0, x.shape[1]};
      return transposed ? at.transposed() : at;
    };
    const auto multiply = [&](const ConstArray& row, const Array& result) {
      return run({1, 1, m, n, k}, a, places(a, transpose_a), b, places(b, transpose_b), row, result,
                 {0, 0, 0, n});
    };
    // cuBLASLt adds a bias of the result's type, and reads it in vectors.
    const bool adds = y.dtype == DType::f32 && reinterpret_cast<std::uintptr_t>(bias.data) % 16 == 0;
    if ((bias.data == nullptr || adds) && multiply(bias, y)) return;
    const bool in_place = y.dtype == DType::f32;
    const Buffer room(memory_, in_place ? 0 : static_cast<std::int64_t>(bytes_of(DType::f32, m * n)),
                      MemoryKind::workspace);
    const Array sums{in_place ? y.data : room.data(), DType::f32, y.shape};
    multiply({}, sums);
    cuda::add_bias(sums, bias, y);
  }

  void batched(const BatchedSizes& sizes, ConstArray a, const MatrixPlaces& a_at, ConstArray b,
               const MatrixPlaces& b_at, Array y, const MatrixPlaces& y_at) override {
    constexpr const char* operation = "batched matmul";
    cuda::check_operands(operation, a.dtype, b.dtype, y.dtype);
    ACTLAB_CHECK(sizes.k >= 1 && y_at.column_step == 1, operation, ": the inner size is ", sizes.k,
                 " and y's column step ", y_at.column_step, "; at least 1, and 1, are needed");
    if (sizes.outer * sizes.inner * sizes.m * sizes.n > 0) run(sizes, a, a_at, b, b_at, {}, y, y_at);
  }

 private:
  // A call computes matrices at equal distances: all of the batch where they lie so, else those along its
  // longer side. False where cuBLASLt cannot add this bias.
  bool run(const BatchedSizes& sizes, ConstArray a, const MatrixPlaces& a_at, ConstArray b,
           const MatrixPlaces& b_at, ConstArray bias, Array y, const MatrixPlaces& y_at) {
    const auto even = [&](const MatrixPlaces& at) { return at.outer == sizes.inner * at.inner; };
    const bool all = even(a_at) && even(b_at) && even(y_at), by_outer = !all && sizes.outer >= sizes.inner;
    const std::int64_t matrices_a_row = all ? sizes.outer * sizes.inner : std::max(sizes.outer, sizes.inner);
    const std::int64_t rows = sizes.outer * sizes.inner / matrices_a_row;
    const auto stride = [&](const MatrixPlaces& at) { return by_outer ? at.outer : at.inner; };
    const auto step = [&](const MatrixPlaces& at) { return by_outer ? at.inner : at.outer; };
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t first = 0; first < matrices_a_row; first += most_batch) {
        const auto from = [&](const ConstArray& array, const MatrixPlaces& at) {
          return element(array, at.offset + row * step(at) + first * stride(at));
        };
        const void *left = from(a, a_at), *right = from(b, b_at), *result = from(y, y_at);
        if (!call({.a = matrices(left, a.dtype, sizes.m, sizes.k, a_at, stride(a_at)),
                   .b = matrices(right, b.dtype, sizes.k, sizes.n, b_at, stride(b_at)),
                   .y = matrices(result, y.dtype, sizes.m, sizes.n, y_at, stride(y_at)),
                   .batch = std::min(matrices_a_row - first, most_batch),
                   .bias = bias.data != nullptr},
                  left, right, bias.data == nullptr ? nullptr : bias.as<float>(), const_cast<void*>(result)))
          return false;
      }
    }
    return true;
  }

  bool call(const Products& products, const void* a, const void* b, const float* bias, void* y) {
    const std::lock_guard lock(mutex_);
    const Plan& plan = plan_for(products, bias);
    if (!plan.usable) return false;
    if (products.bias) set(plan.multiply, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
    const Buffer workspace(memory_, static_cast<std::int64_t>(plan.choice.workspaceSize),
                           MemoryKind::workspace);
    const float one = 1, zero = 0;
    check(library().matmul(handle_.get(), plan.multiply.get(), &one, b, plan.b.get(), a, plan.a.get(), &zero,
                           y, plan.y.get(), y, plan.y.get(), &plan.choice.algo, workspace.data(),
                           plan.choice.workspaceSize, cuda::stream()),
          products);
    cuda::check_launch(cudaSuccess, "matmul");
    return true;
  }

  const Plan& plan_for(const Products& products, const float* bias) {
    if (handle_ == nullptr) {
      cuda::stream();  // the device is in use before cuBLASLt takes it
      handle_ = create<Handle>(library().create);
    }
    if (const auto at = plans_.find(products); at != plans_.end()) return at->second;
    if (plans_.size() == most_plans) plans_.clear();
    const auto compute =
        tf32_ && products.a.dtype == DType::f32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
    return plans_.emplace(products, Plan(handle_.get(), products, compute, bias)).first->second;
  }

  Memory& memory_;
  bool tf32_;
  std::mutex mutex_;  ///< of all below; a plan holds the bias of the call
  Handle handle_;
  std::map<Products, Plan> plans_;
};

}  // namespace
}  // namespace cublaslt

std::unique_ptr<MatmulKernels> make_cuda_matmul(Memory& memory, Multiplication multiplication) {
  return std::make_unique<cublaslt::Matmul>(memory, multiplication);
}

std::string loaded_cublaslt() {
  return cuda::version_text("cuBLASLt", [] { return cublaslt::library().version(); });
}

}  // namespace actlab
