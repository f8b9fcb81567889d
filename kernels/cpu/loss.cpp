// Softmax and cross-entropy of f32 rows, each row in double. A row that is -inf throughout has no softmax:
// NaN.
#include <algorithm>
#include <atomic>
#include <cmath>

#include "kernels/cpu/exp.h"
#include "kernels/cpu/families.h"
#include "kernels/cpu/instruction_sets.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/sum_of.h"
#include "kernels/f32.h"
#include "kernels/math/order.h"
#include "kernels/reference/labels.h"

namespace actlab {
namespace {

// exp is some four times the work of an addition.
std::int64_t rows_of_exp_a_part(std::int64_t columns) { return rows_a_part(8 * columns); }

// The first largest of a row and the sum over the others of exp(x - largest). Both are NaN, or the sum alone,
// where the row has a NaN.
struct RowSummary {
  double most;
  double sum_of_others;
};

[[gnu::always_inline]] inline RowSummary summarize(const float* row, std::int64_t columns) {
  std::int32_t last = math::in_order(math::to_bits(row[0]));
  for (std::int64_t j = 1; j < columns; ++j) {
    const std::int32_t place = math::in_order(math::to_bits(row[j]));
    last = place > last ? place : last;
  }
  const float largest = math::from_bits(math::in_order(last));
  std::int64_t place = 0;
  while (place < columns && row[place] != largest) ++place;  // all of them where it is NaN
  const double most = double{largest};
  const double sum = sum_of(columns, [=](std::int64_t j) {
    const double term = exp_of_negative(double{row[j]} - most);
    return j == place ? 0 : term;
  });
  return {most, sum};
}

ACTLAB_EACH_INSTRUCTION_SET
void softmax_row(const float* x, std::int64_t columns, float* y) {
  const auto [most, others] = summarize(x, columns);
  // exp(most - most) is 1, but NaN where the row has no finite maximum.
  const double sum = others + exp_of_negative(most - most);
  for (std::int64_t j = 0; j < columns; ++j)
    y[j] = static_cast<float>(exp_of_negative(double{x[j]} - most) / sum);
}

ACTLAB_EACH_INSTRUCTION_SET
RowSummary summary_of(const float* row, std::int64_t columns) { return summarize(row, columns); }

// log(sum of exp) minus the wanted mean of x: a sum of terms that are not negative. log1p keeps a loss that
// is far below 1.
double cross_entropy_row(const float* x, std::int64_t columns, std::int32_t label, double smoothing) {
  const auto [most, others] = summary_of(x, columns);
  const double loss = std::log1p(others) + (1.0 - smoothing) * (most - double{x[label]});
  if (smoothing == 0) return loss;  // 0 * infinity is not 0
  double below = 0;
  for (std::int64_t j = 0; j < columns; ++j) below += most - double{x[j]};
  return loss + smoothing / static_cast<double>(columns) * below;
}

ACTLAB_EACH_INSTRUCTION_SET
void cross_entropy_gradient_row(const float* x, std::int64_t columns, std::int32_t label, double smoothing,
                                double factor, float* dx) {
  const auto [most, others] = summarize(x, columns);
  const double scale = factor / (others + exp_of_negative(most - most));
  const double share = smoothing / static_cast<double>(columns);
  const auto numerator = [=](std::int64_t j) { return exp_of_negative(double{x[j]} - most); };
  for (std::int64_t j = 0; j < columns; ++j)
    dx[j] = static_cast<float>(scale * numerator(j) - factor * share);
  // softmax - 1 of the label is minus the sum of the others: no cancellation near 1.
  const double all_but_label = sum_of(columns, [=](std::int64_t j) {
    const double term = numerator(j);
    return j == label ? 0 : term;
  });
  dx[label] = static_cast<float>(factor * (smoothing - share) - scale * all_but_label);
}

class CpuLoss final : public LossKernels {
 public:
  explicit CpuLoss(Memory& memory) : memory_(memory) {}

  void softmax(ConstArray x, Array y) override {
    const std::int64_t rows = x.shape[0], columns = x.shape[1];
    const float* in = f32("softmax", x);
    float* out = f32("softmax", y);
    parallel_for(rows, rows_of_exp_a_part(columns), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) softmax_row(in + i * columns, columns, out + i * columns);
    });
  }

  void softmax_backward(ConstArray y, ConstArray dy, Array dx) override {
    const std::int64_t rows = y.shape[0], columns = y.shape[1];
    const float* out = f32("softmax", y);
    const float* gradient = f32("softmax", dy);
    float* result = f32("softmax", dx);
    parallel_for(rows, rows_a_part(columns), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin * columns; i < end * columns; i += columns) {
        double mean = 0;
        for (std::int64_t j = i; j < i + columns; ++j) mean += double{out[j]} * double{gradient[j]};
        for (std::int64_t j = i; j < i + columns; ++j)
          result[j] = static_cast<float>(double{out[j]} * (double{gradient[j]} - mean));
      }
    });
  }

  void cross_entropy(const CrossEntropyOptions& options, ConstArray logits, ConstArray labels,
                     Array loss) override {
    const std::int64_t rows = logits.shape[0], columns = logits.shape[1];
    const float* in = f32("cross-entropy", logits);
    const RowLabels label = checked_labels(labels, rows, columns, options.ignored_label);
    const double smoothing = options.label_smoothing;
    const Buffer scratch(memory_, rows * std::int64_t{sizeof(double)}, MemoryKind::workspace);
    double* losses = static_cast<double*>(scratch.data());
    parallel_for(rows, rows_of_exp_a_part(columns), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        losses[i] =
            label.ignores(i) ? 0 : cross_entropy_row(in + i * columns, columns, label.values[i], smoothing);
    });
    double total = 0;
    for (std::int64_t i = 0; i < rows; ++i) total += losses[i];
    *f32("cross-entropy", loss) =
        label.counted == 0 ? 0 : static_cast<float>(total / static_cast<double>(label.counted));
  }

  void cross_entropy_backward(const CrossEntropyOptions& options, ConstArray logits, ConstArray labels,
                              ConstArray dloss, Array dlogits) override {
    const std::int64_t rows = logits.shape[0], columns = logits.shape[1];
    const float* in = f32("cross-entropy", logits);
    float* out = f32("cross-entropy", dlogits);
    const RowLabels label = checked_labels(labels, rows, columns, options.ignored_label);
    const double smoothing = options.label_smoothing;
    const double factor = double{*f32("cross-entropy", dloss)} / static_cast<double>(label.counted);
    parallel_for(rows, rows_of_exp_a_part(columns), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        float* row = out + i * columns;
        if (label.ignores(i))
          std::fill_n(row, columns, 0.0f);
        else
          cross_entropy_gradient_row(in + i * columns, columns, label.values[i], smoothing, factor, row);
      }
    });
  }

  void count_correct(ConstArray logits, ConstArray labels, Array correct) override {
    const std::int64_t rows = logits.shape[0], columns = logits.shape[1];
    const float* in = f32("count correct", logits);
    const std::int32_t* label = labels.as<std::int32_t>();
    std::atomic<std::int32_t> count = 0;
    parallel_for(rows, rows_a_part(columns), [&, in, label, columns](std::int64_t begin, std::int64_t end) {
      std::int32_t part = 0;
      for (std::int64_t i = begin; i < end; ++i)
        if (is_correct(in + i * columns, columns, label[i])) ++part;
      count += part;
    });
    *correct.as<std::int32_t>() = count;
  }

 private:
  Memory& memory_;
};

}  // namespace

std::unique_ptr<LossKernels> make_cpu_loss(Memory& memory) { return std::make_unique<CpuLoss>(memory); }

}  // namespace actlab
