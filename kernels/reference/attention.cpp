// The softmax of attention by its definition.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/reference/families.h"
#include "kernels/reference/indices.h"

namespace actlab {
namespace {

// Calls f(first element of the row, keys that count) for each row of (batch, heads, queries, keys).
template <class F>
void for_each_row(const Shape& shape, ConstArray lengths, const F& f) {
  const std::int64_t keys = shape[3], rows_a_window = shape[1] * shape[2];
  const std::int32_t* counted =
      lengths.data == nullptr ? nullptr : checked_indices("attention", "length", lengths, 1, keys);
  for (std::int64_t row = 0; row < shape[0] * rows_a_window; ++row)
    f(row * keys, counted == nullptr ? keys : counted[row / rows_a_window]);
}

class ReferenceAttention final : public AttentionKernels {
 public:
  void softmax(double scale, ConstArray scores, ConstArray lengths, Array probabilities) override {
    const std::int64_t keys = scores.shape[3];
    for_real("attention", scores.dtype, [&](auto zero) {
      using T = decltype(zero);
      for_each_row(scores.shape, lengths, [&](std::int64_t first, std::int64_t n) {
        const T* x = scores.as<T>() + first;
        T* y = probabilities.as<T>() + first;
        double most = -std::numeric_limits<double>::infinity(), sum = 0;
        for (std::int64_t j = 0; j < n; ++j) most = std::max(most, double{x[j]});
        for (std::int64_t j = 0; j < n; ++j) sum += std::exp(scale * (double{x[j]} - most));
        for (std::int64_t j = 0; j < n; ++j)
          y[j] = static_cast<T>(std::exp(scale * (double{x[j]} - most)) / sum);
        std::fill(y + n, y + keys, T{0});
      });
    });
  }

  void softmax_backward(double scale, ConstArray probabilities, ConstArray lengths, ConstArray dprobabilities,
                        Array dscores) override {
    const std::int64_t keys = probabilities.shape[3];
    for_real("attention", probabilities.dtype, [&](auto zero) {
      using T = decltype(zero);
      for_each_row(probabilities.shape, lengths, [&](std::int64_t first, std::int64_t n) {
        const T* y = probabilities.as<T>() + first;
        const T* dy = dprobabilities.as<T>() + first;
        T* dx = dscores.as<T>() + first;
        double mean = 0;
        for (std::int64_t j = 0; j < n; ++j) mean += double{y[j]} * double{dy[j]};
        for (std::int64_t j = 0; j < n; ++j)
          dx[j] = static_cast<T>(scale * double{y[j]} * (double{dy[j]} - mean));
        std::fill(dx + n, dx + keys, T{0});
      });
    });
  }
};

}  // namespace

std::unique_ptr<AttentionKernels> make_reference_attention() {
  return std::make_unique<ReferenceAttention>();
}

}  // namespace actlab
