// The softmax of attention, row by row: exponentials in float, their sum in double.
#include <algorithm>
#include <limits>

#include "kernels/cpu/families.h"
#include "kernels/cpu/instruction_sets.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/sum_of.h"
#include "kernels/f32.h"
#include "kernels/math/exp.h"
#include "kernels/math/order.h"
#include "kernels/reference/indices.h"

namespace actlab {
namespace {

// y = softmax(scale * x) of n elements; y may be x. A NaN, or no finite maximum, makes all of it NaN.
ACTLAB_EACH_INSTRUCTION_SET
void softmax_row(const float* x, std::int64_t n, float scale, float* y) {
  std::int32_t last = std::numeric_limits<std::int32_t>::min();
  for (std::int64_t j = 0; j < n; ++j) {
    const std::int32_t place = math::in_order(math::to_bits(x[j]));
    last = place > last ? place : last;
  }
  const float most = math::from_bits(math::in_order(last));
#pragma GCC ivdep
  for (std::int64_t j = 0; j < n; ++j) {
    const float below = (most - x[j]) * scale;
    y[j] = math::keep_nan(below, math::exp_neg(math::abs_cap(below, math::Limits<float>::exp_cap)).value());
  }
  const auto factor = static_cast<float>(1 / sum_of(n, [=](std::int64_t j) { return double{y[j]}; }));
  for (std::int64_t j = 0; j < n; ++j) y[j] *= factor;
}

// dx = scale * y * (dy - sum of y * dy); dx may be dy.
ACTLAB_EACH_INSTRUCTION_SET
void softmax_gradient_row(const float* y, const float* dy, std::int64_t n, double scale, float* dx) {
  const double mean = sum_of(n, [=](std::int64_t j) { return double{y[j]} * double{dy[j]}; });
#pragma GCC ivdep
  for (std::int64_t j = 0; j < n; ++j)
    dx[j] = static_cast<float>(scale * double{y[j]} * (double{dy[j]} - mean));
}

// Calls f(first element of the row, keys that count) for each row of (batch, heads, queries, keys).
template <class F>
void for_each_row(const Shape& shape, ConstArray lengths, std::int64_t work, const F& f) {
  const std::int64_t keys = shape[3], rows_a_window = shape[1] * shape[2];
  const std::int32_t* counted =
      lengths.data == nullptr ? nullptr : checked_indices("attention", "length", lengths, 1, keys);
  parallel_for(shape[0] * rows_a_window, rows_a_part(work * keys), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row)
      f(row * keys, counted == nullptr ? keys : counted[row / rows_a_window]);
  });
}

class CpuAttention final : public AttentionKernels {
 public:
  void softmax(double scale, ConstArray scores, ConstArray lengths, Array probabilities) override {
    const float* x = f32("attention", scores);
    float* y = f32("attention", probabilities);
    const auto factor = static_cast<float>(scale);
    for_each_row(scores.shape, lengths, 4, [=, keys = scores.shape[3]](std::int64_t first, std::int64_t n) {
      softmax_row(x + first, n, factor, y + first);
      std::fill(y + first + n, y + first + keys, 0.0f);
    });
  }

  void softmax_backward(double scale, ConstArray probabilities, ConstArray lengths, ConstArray dprobabilities,
                        Array dscores) override {
    const float* y = f32("attention", probabilities);
    const float* dy = f32("attention", dprobabilities);
    float* dx = f32("attention", dscores);
    for_each_row(dscores.shape, lengths, 2, [=, keys = dscores.shape[3]](std::int64_t first, std::int64_t n) {
      softmax_gradient_row(y + first, dy + first, n, scale, dx + first);
      std::fill(dx + first + n, dx + first + keys, 0.0f);
    });
  }
};

}  // namespace

std::unique_ptr<AttentionKernels> make_cpu_attention() { return std::make_unique<CpuAttention>(); }

}  // namespace actlab
