// Softmax and cross-entropy of f32 rows, each row in double. A row that is -inf throughout has no softmax:
// NaN.
#include <cmath>

#include "kernels/cpu/f32.h"
#include "kernels/cpu/families.h"
#include "kernels/cpu/parallel.h"
#include "kernels/reference/labels.h"

namespace actlab {
namespace {

// exp is some ten times the work of an addition.
std::int64_t rows_of_exp_a_part(std::int64_t columns) { return rows_a_part(16 * columns); }

// The first largest of a row and the sum over the others of exp(x - largest); a NaN wins over numbers.
struct RowSummary {
  double most;
  double sum_of_others;
};

RowSummary summarize(const float* row, std::int64_t columns) {
  std::int64_t place = 0;
  for (std::int64_t j = 1; j < columns; ++j)
    if (row[j] > row[place] || std::isnan(row[j])) place = j;
  const double most = double{row[place]};
  double sum = 0;
  for (std::int64_t j = 0; j < columns; ++j)
    if (j != place) sum += std::exp(double{row[j]} - most);
  return {most, sum};
}

void softmax_row(const float* x, std::int64_t columns, float* y) {
  const auto [most, others] = summarize(x, columns);
  // exp(most - most) is 1, but NaN where the row has no finite maximum.
  const double sum = others + std::exp(most - most);
  for (std::int64_t j = 0; j < columns; ++j) y[j] = static_cast<float>(std::exp(double{x[j]} - most) / sum);
}

// log(sum of exp) - x[label]; log1p keeps a loss that is far below 1.
double cross_entropy_row(const float* x, std::int64_t columns, std::int32_t label) {
  const auto [most, others] = summarize(x, columns);
  return most - double{x[label]} + std::log1p(others);
}

void cross_entropy_gradient_row(const float* x, std::int64_t columns, std::int32_t label, double factor,
                                float* dx) {
  const auto [most, others] = summarize(x, columns);
  const double scale = factor / (others + std::exp(most - most));
  double all_but_label = 0;
  for (std::int64_t j = 0; j < columns; ++j) {
    if (j == label) continue;
    const double numerator = std::exp(double{x[j]} - most);
    all_but_label += numerator;
    dx[j] = static_cast<float>(scale * numerator);
  }
  // softmax - 1 of the label is minus the sum of the others: no cancellation near 1.
  dx[label] = static_cast<float>(-scale * all_but_label);
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

  void cross_entropy(ConstArray logits, ConstArray labels, Array loss) override {
    const std::int64_t rows = logits.shape[0], columns = logits.shape[1];
    const float* in = f32("cross-entropy", logits);
    const std::int32_t* label = checked_labels(labels, rows, columns);
    const Buffer scratch(memory_, rows * std::int64_t{sizeof(double)}, MemoryKind::workspace);
    double* losses = static_cast<double*>(scratch.data());
    parallel_for(rows, rows_of_exp_a_part(columns), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        losses[i] = cross_entropy_row(in + i * columns, columns, label[i]);
    });
    double total = 0;
    for (std::int64_t i = 0; i < rows; ++i) total += losses[i];
    *f32("cross-entropy", loss) = static_cast<float>(total / static_cast<double>(rows));
  }

  void cross_entropy_backward(ConstArray logits, ConstArray labels, ConstArray dloss,
                              Array dlogits) override {
    const std::int64_t rows = logits.shape[0], columns = logits.shape[1];
    const float* in = f32("cross-entropy", logits);
    float* out = f32("cross-entropy", dlogits);
    const std::int32_t* label = checked_labels(labels, rows, columns);
    const double factor = double{*f32("cross-entropy", dloss)} / static_cast<double>(rows);
    parallel_for(rows, rows_of_exp_a_part(columns), [=](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i)
        cross_entropy_gradient_row(in + i * columns, columns, label[i], factor, out + i * columns);
    });
  }

 private:
  Memory& memory_;
};

}  // namespace

std::unique_ptr<LossKernels> make_cpu_loss(Memory& memory) { return std::make_unique<CpuLoss>(memory); }

}  // namespace actlab
