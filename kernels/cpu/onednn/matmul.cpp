// Matmul by oneDNN; a transposed operand is a layout of the plain one. A right factor
// larger than the caches near a core is packed as oneDNN likes it: read in place it takes up to half the
// speed (768 x 3,072 with AVX-512); a transposed one oneDNN copies by itself. A batch goes through its sgemm,
// matrix by matrix: as fast as its matmul over strided batches, which falls to reference code where one
// matrix is shared by a batch.
#include <atomic>
#include <optional>

#include "kernels/cpu/bias.h"
#include "kernels/cpu/onednn/families.h"
#include "kernels/cpu/onednn/primitive.h"
#include "kernels/cpu/products.h"
#include "kernels/cpu/widening.h"
#include "kernels/f32.h"

namespace actlab {
namespace onednn {
namespace {

using Tag = dnnl::memory::format_tag;

struct MatmulKey {
  std::int64_t m, n, k;
  bool transpose_a, transpose_b, bias;
  DType operands, result;
  int threads;
  bool operator==(const MatmulKey&) const = default;
};

std::string describe(const MatmulKey& key) {
  return concat("matmul (", key.m, ", ", key.k, ")", key.transpose_a ? " transposed" : "", " x (", key.k,
                ", ", key.n, ")", key.transpose_b ? " transposed" : "", key.bias ? " + bias" : "", ", ",
                key.operands, " to ", key.result);
}

// From here on packing was measured to cost less than it saves: elements of the factor, and rows over it.
constexpr std::int64_t elements_to_pack = 1 << 20, rows_to_pack_for = 64;

bool worth_packing(const MatmulKey& key) {
  return !key.transpose_b && key.k * key.n >= elements_to_pack && key.m >= rows_to_pack_for;
}

// b, (k, n), in a layout.
Desc b_in(Tag layout, const MatmulKey& key) {
  return Desc({key.k, key.n}, type_of("matmul", key.operands), layout);
}

// A product of given sizes: the layouts of its arrays, its primitive, and the copy of b if one is due.
struct MatmulPlan {
  explicit MatmulPlan(const MatmulKey& key)
      : a({key.m, key.k}, type_of("matmul", key.operands), key.transpose_a ? Tag::ba : Tag::ab),
        b(b_in(key.transpose_b ? Tag::ba : Tag::ab, key)),
        bias(key.bias ? Desc({1, key.n}, dnnl::memory::data_type::f32, Tag::ab) : Desc()),
        y({key.m, key.n}, type_of("matmul", key.result), Tag::ab),
        packed(worth_packing(key) ? liked(key) : b) {
    const MatmulDesc desc = desc_with(packed);
    primitive.emplace(desc, dnnl::matmul(desc));
    if (packed != b) pack = make_reorder(b, packed);
  }

  MatmulDesc desc_with(const Desc& factor) const {
    return matmul_desc(engine(), user_scratchpad(), a, factor, bias, y);
  }
  // The layout of b that oneDNN likes; a plain one is no wish, and b may stay as it is.
  Desc liked(const MatmulKey& key) const {
    const Desc layout = desc_with(b_in(Tag::any, key)).weights_desc();
    return layout == b_in(Tag::ab, key) || layout == b_in(Tag::ba, key) ? b : layout;
  }

  Desc a, b, bias, y;
  Desc packed;  // b as the primitive wants it
  std::optional<Primitive> pack, primitive;
};

class Matmul final : public WideningMatmul, public OnednnChoices {
 public:
  Matmul(Memory& memory, Multiplication multiplication)
      : WideningMatmul(memory, multiplication == Multiplication::native && has_code_for(DType::bf16)) {}

  std::string implementation() const override { return version(); }

  std::vector<std::string> choices() const override {
    return plans_.list([](const MatmulKey& key, const MatmulPlan& plan) {
      return concat(describe(key), ": ", plan.primitive->implementation());
    });
  }

  void batched(const BatchedSizes& sizes, ConstArray a, const MatrixPlaces& a_at, ConstArray b,
               const MatrixPlaces& b_at, Array y, const MatrixPlaces& y_at) override {
    std::atomic<dnnl_status_t> failure = dnnl_success;
    for_each_product(sizes, a, a_at, b, b_at, y, y_at,
                     [&](const BlasMatrix& left, const BlasMatrix& right, float* out, std::int64_t line) {
                       const dnnl_status_t status = dnnl_sgemm(
                           left.transposed ? 'T' : 'N', right.transposed ? 'T' : 'N', sizes.m, sizes.n,
                           sizes.k, 1.0f, left.data, left.line, right.data, right.line, 0.0f, out, line);
                       if (status != dnnl_success) failure = status;
                     });
    ACTLAB_CHECK(failure == dnnl_success, "batched matmul (", sizes.m, ", ", sizes.k, ") x (", sizes.k, ", ",
                 sizes.n, "): oneDNN's sgemm failed with status ", static_cast<int>(failure.load()));
  }

 protected:
  void run_matmul(ConstArray a, bool transpose_a, ConstArray b, bool transpose_b, ConstArray bias,
                  Array y) override {
    const std::int64_t m = y.shape[0], n = y.shape[1], k = a.shape[transpose_a ? 0 : 1];
    const float* row = f32("matmul", bias);
    if (m == 0 || n == 0) return;
    if (k == 0) return fill_rows(row, m, n, f32("matmul", y));
    const Threads threads;
    const MatmulKey key{.m = m,
                        .n = n,
                        .k = k,
                        .transpose_a = transpose_a,
                        .transpose_b = transpose_b,
                        .bias = row != nullptr,
                        .operands = a.dtype,
                        .result = y.dtype,
                        .threads = threads.count()};
    with_errors_named(key, [&] {
      const auto plan = plans_.get(key, [&] { return MatmulPlan(key); });
      const Buffer packed(memory(), plan->pack ? static_cast<std::int64_t>(plan->packed.get_size()) : 0,
                          MemoryKind::workspace);
      const dnnl::memory from = view(plan->b, b.data), factor = view(plan->packed, packed.data());
      if (plan->pack) plan->pack->run(memory(), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, factor}});
      std::unordered_map<int, dnnl::memory> arguments = {{DNNL_ARG_SRC, view(plan->a, a.data)},
                                                         {DNNL_ARG_WEIGHTS, plan->pack ? factor : from},
                                                         {DNNL_ARG_DST, view(plan->y, y.data)}};
      if (key.bias) arguments.emplace(DNNL_ARG_BIAS, view(plan->bias, row));
      plan->primitive->run(memory(), std::move(arguments));
    });
  }

 private:
  Cache<MatmulKey, MatmulPlan> plans_;
};

}  // namespace
}  // namespace onednn

std::unique_ptr<MatmulKernels> make_onednn_matmul(Memory& memory, Multiplication multiplication) {
  return std::make_unique<onednn::Matmul>(memory, multiplication);
}

}  // namespace actlab
