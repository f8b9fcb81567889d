// Sums down columns: blocks by all threads, then the blocks in order.
#include "kernels/cpu/column_sums.h"

#include <algorithm>

#include "kernels/cpu/f32.h"
#include "kernels/cpu/instruction_sets.h"
#include "kernels/cpu/parallel.h"

namespace actlab {
namespace {

constexpr std::int64_t partial = 4096;
// Columns that are summed side by side: one cache line, a block stays in the second-level cache.
constexpr std::int64_t strip = 16;

std::int64_t partials_of(std::int64_t rows) { return (rows + partial - 1) / partial; }

// Calls f(partial's number, its first row, its rows, first column, columns <= strip) for every block.
template <class F>
void for_each_block(std::int64_t rows, std::int64_t columns, const F& f) {
  const std::int64_t strips = (columns + strip - 1) / strip;
  const std::int64_t elements = std::min(rows, partial) * std::min(columns, strip);
  parallel_for(
      partials_of(rows) * strips, rows_a_part(elements), [=, &f](std::int64_t begin, std::int64_t end) {
        for (std::int64_t task = begin; task < end; ++task) {
          const std::int64_t number = task / strips, row = number * partial, column = task % strips * strip;
          f(number, row, std::min(partial, rows - row), column, std::min(strip, columns - column));
        }
      });
}

// One block of a matrix: x points to its first element, rows lie `step` elements apart.
struct Block {
  std::int64_t rows, columns, step;
};

// Loops over a whole strip have a known length and keep their sums in registers.
template <class F>
[[gnu::always_inline]] inline void with_width(std::int64_t columns, const F& f) {
  if (columns == strip) return f(std::integral_constant<std::int64_t, strip>{});
  f(columns);
}

ACTLAB_EACH_INSTRUCTION_SET
void moments_of_block(const Block& b, const float* x, double* mean, double* squares) {
  with_width(
      b.columns, [&](auto width) __attribute__((always_inline)) {
        double sums[strip] = {}, off[strip] = {};
        for (std::int64_t i = 0; i < b.rows; ++i)
          for (std::int64_t c = 0; c < width; ++c) sums[c] += double{x[i * b.step + c]};
        for (std::int64_t c = 0; c < width; ++c) sums[c] /= static_cast<double>(b.rows);
        for (std::int64_t i = 0; i < b.rows; ++i) {
          for (std::int64_t c = 0; c < width; ++c) {
            const double difference = double{x[i * b.step + c]} - sums[c];
            off[c] += difference * difference;
          }
        }
        std::copy_n(sums, std::int64_t{width}, mean);
        std::copy_n(off, std::int64_t{width}, squares);
      });
}

ACTLAB_EACH_INSTRUCTION_SET
void gradients_of_block(const Block& b, const float* x, const double* mean, const double* scale, bool by_row,
                        const float* dy, double* sums, double* products) {
  with_width(
      b.columns, [&](auto width) __attribute__((always_inline)) {
        double sum[strip] = {}, product[strip] = {};
        if (by_row) {
          for (std::int64_t i = 0; i < b.rows; ++i) {
            for (std::int64_t c = 0; c < width; ++c) {
              const double gradient = double{dy[i * b.step + c]};
              sum[c] += gradient;
              product[c] += gradient * ((double{x[i * b.step + c]} - mean[i]) * scale[i]);
            }
          }
        } else {
          for (std::int64_t i = 0; i < b.rows; ++i) {
            for (std::int64_t c = 0; c < width; ++c) {
              const double gradient = double{dy[i * b.step + c]};
              sum[c] += gradient;
              product[c] += gradient * (double{x[i * b.step + c]} - mean[c]);
            }
          }
          for (std::int64_t c = 0; c < width; ++c) product[c] *= scale[c];
        }
        std::copy_n(sum, std::int64_t{width}, sums);
        std::copy_n(product, std::int64_t{width}, products);
      });
}

}  // namespace

void column_moments(Memory& memory, std::int64_t rows, std::int64_t columns, const float* x,
                    double* moments) {
  const std::int64_t partials = partials_of(rows);
  // (partials, 2, columns)
  const Buffer scratch(memory, partials * 2 * columns * std::int64_t{sizeof(double)}, MemoryKind::workspace);
  double* parts = static_cast<double*>(scratch.data());
  for_each_block(
      rows, columns,
      [=](std::int64_t number, std::int64_t row, std::int64_t n, std::int64_t column, std::int64_t width) {
        double* part = parts + number * 2 * columns + column;
        moments_of_block({n, width, columns}, x + row * columns + column, part, part + columns);
      });
  for (std::int64_t c = 0; c < columns; ++c) {
    double mean = parts[c], squares = parts[columns + c];
    for (std::int64_t p = 1; p < partials; ++p) {
      const auto before = static_cast<double>(p * partial);
      const auto n = static_cast<double>(std::min(partial, rows - p * partial));
      const double* part = parts + p * 2 * columns + c;
      const double apart = part[0] - mean;
      mean += apart * (n / (before + n));
      squares += part[columns] + apart * apart * (before * n / (before + n));
    }
    moments[c] = mean;
    moments[columns + c] = squares / static_cast<double>(rows);
  }
}

void column_gradients(Memory& memory, std::int64_t rows, std::int64_t columns, const Standardised& x,
                      const float* dy, double* sums) {
  const std::int64_t partials = partials_of(rows);
  const Buffer scratch(memory, partials * 2 * columns * std::int64_t{sizeof(double)}, MemoryKind::workspace);
  double* parts = static_cast<double*>(scratch.data());
  for_each_block(
      rows, columns,
      [=](std::int64_t number, std::int64_t row, std::int64_t n, std::int64_t column, std::int64_t width) {
        const std::int64_t at = row * columns + column, first = x.by_row ? row : column;
        double* part = parts + number * 2 * columns + column;
        gradients_of_block({n, width, columns}, x.x + at, x.mean + first, x.scale + first, x.by_row, dy + at,
                           part, part + columns);
      });
  std::fill_n(sums, 2 * columns, 0.0);
  for (std::int64_t p = 0; p < partials; ++p)
    for (std::int64_t c = 0; c < 2 * columns; ++c) sums[c] += parts[p * 2 * columns + c];
}

}  // namespace actlab
