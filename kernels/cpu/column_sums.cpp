// Sums down columns: partials by all threads, then the partials in order.
#include "kernels/cpu/column_sums.h"

#include <algorithm>

#include "kernels/cpu/instruction_sets.h"
#include "kernels/cpu/parallel.h"

namespace actlab {
namespace {

// Rows of a partial: a quarter of a MiB, which the second-level cache keeps for the second look at it.
std::int64_t rows_of_partial(std::int64_t columns) {
  return std::clamp<std::int64_t>(65'536 / std::max<std::int64_t>(1, columns), 32, 4096);
}

// The sums of each partial (2, columns); `reduce` makes those of its rows: f(first row, rows, sums).
class Partials {
 public:
  template <class F>
  Partials(Memory& memory, std::int64_t rows, std::int64_t columns, const F& reduce)
      : rows_(rows),
        size_(rows_of_partial(columns)),
        count_((rows + size_ - 1) / size_),
        columns_(columns),
        scratch_(memory, count_ * 2 * columns * std::int64_t{sizeof(double)}, MemoryKind::workspace) {
    parallel_for(count_, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) reduce(i * size_, rows_in(i), sums(i));
    });
  }

  std::int64_t count() const { return count_; }
  std::int64_t rows_in(std::int64_t i) const { return std::min(size_, rows_ - i * size_); }
  double* sums(std::int64_t i) const { return static_cast<double*>(scratch_.data()) + i * 2 * columns_; }

 private:
  std::int64_t rows_, size_, count_, columns_;
  Buffer scratch_;
};

// mean and sum of squared differences from it of each column of (rows, columns).
ACTLAB_EACH_INSTRUCTION_SET
void moments_of_rows(std::int64_t rows, std::int64_t columns, const float* __restrict x,
                     double* __restrict mean, double* __restrict squares) {
  std::fill_n(mean, columns, 0.0);
  std::fill_n(squares, columns, 0.0);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t c = 0; c < columns; ++c) mean[c] += double{x[i * columns + c]};
  for (std::int64_t c = 0; c < columns; ++c) mean[c] /= static_cast<double>(rows);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t c = 0; c < columns; ++c) {
      const double difference = double{x[i * columns + c]} - mean[c];
      squares[c] += difference * difference;
    }
  }
}

ACTLAB_EACH_INSTRUCTION_SET
void gradients_by_column(std::int64_t rows, std::int64_t columns, const float* __restrict x,
                         const double* __restrict mean, const double* __restrict scale,
                         const float* __restrict dy, double* __restrict sum, double* __restrict product) {
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t c = 0; c < columns; ++c) {
      const double gradient = double{dy[i * columns + c]};
      sum[c] += gradient;
      product[c] += gradient * (double{x[i * columns + c]} - mean[c]);
    }
  }
  for (std::int64_t c = 0; c < columns; ++c) product[c] *= scale[c];
}

ACTLAB_EACH_INSTRUCTION_SET
void gradients_by_row(std::int64_t rows, std::int64_t columns, const float* __restrict x,
                      const double* __restrict mean, const double* __restrict scale,
                      const float* __restrict dy, double* __restrict sum, double* __restrict product) {
  for (std::int64_t i = 0; i < rows; ++i) {
    const double middle = mean[i], factor = scale[i];
    for (std::int64_t c = 0; c < columns; ++c) {
      const double gradient = double{dy[i * columns + c]};
      sum[c] += gradient;
      product[c] += gradient * ((double{x[i * columns + c]} - middle) * factor);
    }
  }
}

}  // namespace

void column_moments(Memory& memory, std::int64_t rows, std::int64_t columns, const float* x,
                    double* moments) {
  const Partials partials(memory, rows, columns, [=](std::int64_t row, std::int64_t count, double* sums) {
    moments_of_rows(count, columns, x + row * columns, sums, sums + columns);
  });
  double* mean = moments;
  double* squares = moments + columns;
  std::fill_n(moments, 2 * columns, 0.0);
  double before = 0;
  for (std::int64_t i = 0; i < partials.count(); ++i) {
    const auto count = static_cast<double>(partials.rows_in(i));
    const double share = count / (before + count);
    for (std::int64_t c = 0; c < columns; ++c) {
      const double apart = partials.sums(i)[c] - mean[c];
      mean[c] += apart * share;
      squares[c] += partials.sums(i)[columns + c] + apart * apart * before * share;
    }
    before += count;
  }
  for (std::int64_t c = 0; c < columns; ++c) squares[c] /= static_cast<double>(rows);
}

void column_gradients(Memory& memory, std::int64_t rows, std::int64_t columns, const Standardised& x,
                      const float* dy, double* sums) {
  const Partials partials(memory, rows, columns, [&](std::int64_t row, std::int64_t count, double* part) {
    std::fill_n(part, 2 * columns, 0.0);
    const std::int64_t at = row * columns;
    if (x.by_row) {
      gradients_by_row(count, columns, x.x + at, x.mean + row, x.scale + row, dy + at, part, part + columns);
    } else {
      gradients_by_column(count, columns, x.x + at, x.mean, x.scale, dy + at, part, part + columns);
    }
  });
  std::fill_n(sums, 2 * columns, 0.0);
  for (std::int64_t i = 0; i < partials.count(); ++i)
    for (std::int64_t c = 0; c < 2 * columns; ++c) sums[c] += partials.sums(i)[c];
}

}  // namespace actlab
