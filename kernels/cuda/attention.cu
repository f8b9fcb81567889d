// The softmax of attention on CUDA devices, a team for each row: exponentials in float, their sum in double.
#include "kernels/cuda/families.h"
#include "kernels/cuda/indices.h"
#include "kernels/cuda/reduce.h"
#include "kernels/f32.h"
#include "kernels/math/exp.h"

namespace actlab {
namespace {

using cuda::for_each_place, cuda::team_sum_of;

// The rows of (batch, heads, queries, keys), and how many keys of each count.
struct Rows {
  std::int64_t count, keys;
  std::int64_t rows_a_window;   // heads * queries
  const std::int32_t* lengths;  // (batch); null: every key counts

  ACTLAB_HD std::int64_t keys_of(std::int64_t row) const {
    return lengths == nullptr ? keys : lengths[row / rows_a_window];
  }
};

// y may be x: each thread writes the places that it has read. A NaN, or no finite maximum, makes all of a row
// NaN.
__global__ void __launch_bounds__(cuda::block_threads)
    softmax_kernel(Rows rows, float scale, const float* x, float* y) {
  cuda::for_each_row(rows.count, [=](std::int64_t row) {
    const float* const in = x + row * rows.keys;
    float* const out = y + row * rows.keys;
    const std::int64_t n = rows.keys_of(row);
    const float most = cuda::team_largest(n, in);
    const double sum = team_sum_of(n, [=](std::int64_t j) {
      const float below = (most - in[j]) * scale;
      const float capped = math::abs_cap(below, math::Limits<float>::exp_cap);
      out[j] = math::keep_nan(below, math::exp_neg(capped).value());
      return double{out[j]};
    });
    const float factor = static_cast<float>(1 / sum);
    for_each_place(rows.keys, [=](std::int64_t j) { out[j] = j < n ? out[j] * factor : 0.0f; });
  });
}

// dx = scale * y * (dy - sum of y * dy); dx may be dy.
__global__ void __launch_bounds__(cuda::block_threads)
    softmax_backward_kernel(Rows rows, double scale, const float* y, const float* dy, float* dx) {
  cuda::for_each_row(rows.count, [=](std::int64_t row) {
    const float* const out = y + row * rows.keys;
    const float* const gradient = dy + row * rows.keys;
    float* const result = dx + row * rows.keys;
    const std::int64_t n = rows.keys_of(row);
    const double mean =
        team_sum_of<4>(n, [=](std::int64_t j) { return double{out[j]} * double{gradient[j]}; });
    for_each_place(rows.keys, [=](std::int64_t j) {
      result[j] = j < n ? static_cast<float>(scale * double{out[j]} * (double{gradient[j]} - mean)) : 0.0f;
    });
  });
}

class CudaAttention final : public AttentionKernels {
 public:
  explicit CudaAttention(Memory& memory) : memory_(memory) {}

  void softmax(double scale, ConstArray scores, ConstArray lengths, Array probabilities) override {
    const float* x = f32("attention", scores);
    float* y = f32("attention", probabilities);
    const cuda::SafeIndices safe = safe_lengths(scores.shape, lengths);
    const Rows rows = rows_of(scores.shape, safe);
    cuda::launch("attention", softmax_kernel, cuda::teams_for(rows.count, rows.keys), rows,
                 static_cast<float>(scale), x, y);
  }

  void softmax_backward(double scale, ConstArray probabilities, ConstArray lengths, ConstArray dprobabilities,
                        Array dscores) override {
    const float* y = f32("attention", probabilities);
    const float* dy = f32("attention", dprobabilities);
    float* dx = f32("attention", dscores);
    const cuda::SafeIndices safe = safe_lengths(dscores.shape, lengths);
    const Rows rows = rows_of(dscores.shape, safe);
    cuda::launch("attention", softmax_backward_kernel, cuda::teams_for(rows.count, rows.keys), rows, scale, y,
                 dy, dx);
  }

 private:
  cuda::SafeIndices safe_lengths(const Shape& shape, ConstArray lengths) const {
    if (lengths.data == nullptr) return {};
    return cuda::safe_indices(memory_, "attention", "length", lengths, 1, shape[3]);
  }

  static Rows rows_of(const Shape& shape, const cuda::SafeIndices& lengths) {
    const std::int64_t rows_a_window = shape[1] * shape[2];
    return {shape[0] * rows_a_window, shape[3], rows_a_window, lengths.values()};
  }

  Memory& memory_;
};

}  // namespace

std::unique_ptr<AttentionKernels> make_cuda_attention(Memory& memory) {
  return std::make_unique<CudaAttention>(memory);
}

}  // namespace actlab
