// Softmax and cross-entropy of rows. A row that is -inf throughout has no softmax: NaN.
#include <algorithm>
#include <cmath>

#include "kernels/reference/families.h"
#include "kernels/reference/labels.h"

namespace actlab {
namespace {

// Sum over the row of exp(x - most), without column `but`.
template <class T>
double sum_of_exp(const T* row, std::int64_t columns, double most, std::int64_t but) {
  double sum = 0;
  for (std::int64_t j = 0; j < columns; ++j)
    if (j != but) sum += std::exp(double{row[j]} - most);
  return sum;
}

// Largest of a row; NaN where it has one.
template <class T>
double largest(const T* row, std::int64_t columns) {
  double most = double{row[0]};
  for (std::int64_t j = 1; j < columns; ++j)
    if (double{row[j]} > most || std::isnan(row[j])) most = double{row[j]};
  return most;
}

class ReferenceLoss final : public LossKernels {
 public:
  void softmax(ConstArray x, Array y) override {
    const std::int64_t rows = x.shape[0], columns = x.shape[1];
    for_real("softmax", x.dtype, [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t i = 0; i < rows; ++i) {
        const T* row = x.as<T>() + i * columns;
        const double most = largest(row, columns), sum = sum_of_exp(row, columns, most, -1);
        for (std::int64_t j = 0; j < columns; ++j)
          y.as<T>()[i * columns + j] = static_cast<T>(std::exp(double{row[j]} - most) / sum);
      }
    });
  }

  void softmax_backward(ConstArray y, ConstArray dy, Array dx) override {
    const std::int64_t rows = y.shape[0], columns = y.shape[1];
    for_real("softmax", y.dtype, [&](auto zero) {
      using T = decltype(zero);
      for (std::int64_t i = 0; i < rows; ++i) {
        const T* out = y.as<T>() + i * columns;
        const T* gradient = dy.as<T>() + i * columns;
        double mean = 0;
        for (std::int64_t j = 0; j < columns; ++j) mean += double{out[j]} * double{gradient[j]};
        for (std::int64_t j = 0; j < columns; ++j)
          dx.as<T>()[i * columns + j] = static_cast<T>(double{out[j]} * (double{gradient[j]} - mean));
      }
    });
  }

  void cross_entropy(const CrossEntropyOptions& options, ConstArray logits, ConstArray labels,
                     Array loss) override {
    const std::int64_t rows = logits.shape[0], columns = logits.shape[1];
    const RowLabels label = checked_labels(labels, rows, columns, options.ignored_label);
    const double share = options.label_smoothing / static_cast<double>(columns);
    for_real("cross-entropy", logits.dtype, [&](auto zero) {
      using T = decltype(zero);
      double total = 0;
      for (std::int64_t i = 0; i < rows; ++i) {
        if (label.ignores(i)) continue;
        const T* row = logits.as<T>() + i * columns;
        // log(sum of all exp) = most + log1p(sum of the others), exact also where the loss is tiny.
        const double most = largest(row, columns);
        const std::int64_t place = std::find(row, row + columns, static_cast<T>(most)) - row;
        const double log_of_others = std::log1p(sum_of_exp(row, columns, most, place));
        for (std::int64_t j = 0; j < columns; ++j) {
          const double wanted = share + (j == label.values[i] ? 1 - options.label_smoothing : 0);
          if (wanted > 0) total += wanted * (most - double{row[j]} + log_of_others);
        }
      }
      *loss.as<T>() = label.counted == 0 ? T{0} : static_cast<T>(total / static_cast<double>(label.counted));
    });
  }

  void cross_entropy_backward(const CrossEntropyOptions& options, ConstArray logits, ConstArray labels,
                              ConstArray dloss, Array dlogits) override {
    const std::int64_t rows = logits.shape[0], columns = logits.shape[1];
    const RowLabels label = checked_labels(labels, rows, columns, options.ignored_label);
    const double smoothing = options.label_smoothing, share = smoothing / static_cast<double>(columns);
    for_real("cross-entropy", logits.dtype, [&](auto zero) {
      using T = decltype(zero);
      const double factor = double{*dloss.as<T>()} / static_cast<double>(label.counted);
      for (std::int64_t i = 0; i < rows; ++i) {
        const T* row = logits.as<T>() + i * columns;
        T* gradient = dlogits.as<T>() + i * columns;
        if (label.ignores(i)) {
          std::fill_n(gradient, columns, T{0});
          continue;
        }
        const double most = largest(row, columns), sum = sum_of_exp(row, columns, most, -1);
        for (std::int64_t j = 0; j < columns; ++j)
          gradient[j] = static_cast<T>(factor * (std::exp(double{row[j]} - most) / sum - share));
        // softmax - 1 of the label is minus the sum of the others: no cancellation near 1.
        const std::int32_t at = label.values[i];
        const double others = sum_of_exp(row, columns, most, at) / sum;
        gradient[at] = static_cast<T>(factor * (smoothing - share - others));
      }
    });
  }

  void count_correct(ConstArray logits, ConstArray labels, Array correct) override {
    const std::int64_t rows = logits.shape[0], columns = logits.shape[1];
    for_real("count correct", logits.dtype, [&](auto zero) {
      using T = decltype(zero);
      std::int32_t count = 0;
      for (std::int64_t i = 0; i < rows; ++i)
        if (is_correct(logits.as<T>() + i * columns, columns, labels.as<std::int32_t>()[i])) ++count;
      *correct.as<std::int32_t>() = count;
    });
  }
};

}  // namespace

std::unique_ptr<LossKernels> make_reference_loss() { return std::make_unique<ReferenceLoss>(); }

}  // namespace actlab
