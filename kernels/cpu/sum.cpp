// Sums over an axis: partials by all threads, then the partials in order.
#include "kernels/cpu/sum.h"

#include <algorithm>

#include "kernels/cpu/instruction_sets.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/sum_of.h"
#include "kernels/f32.h"
#include "kernels/math/half.h"

namespace actlab {
namespace {

constexpr std::int64_t partial = 4096;
// Sums that run side by side.
constexpr std::int64_t strip = 64;

// sums[c] = sum of n elements, `inner` apart, for `columns` <= strip neighbours.
ACTLAB_EACH_INSTRUCTION_SET
void sum_columns(const float* __restrict x, std::int64_t n, std::int64_t inner, std::int64_t columns,
                 double* __restrict sums) {
  std::fill_n(sums, columns, 0.0);
  for (std::int64_t i = 0; i < n; ++i, x += inner)
    for (std::int64_t c = 0; c < columns; ++c) sums[c] += double{x[c]};
}

ACTLAB_EACH_INSTRUCTION_SET
void sum_columns(const BFloat16* __restrict x, std::int64_t n, std::int64_t inner, std::int64_t columns,
                 double* __restrict sums) {
  std::fill_n(sums, columns, 0.0);
  for (std::int64_t i = 0; i < n; ++i, x += inner)
    for (std::int64_t c = 0; c < columns; ++c) sums[c] += double{math::to_float(x[c])};
}

template <class T>
void sum_axis_of(Memory& memory, const AxisSizes& sizes, const T* x, float* y) {
  const std::int64_t axis = sizes.axis, inner = sizes.inner, lines = sizes.outer * inner;
  const std::int64_t partials = std::max<std::int64_t>(1, (axis + partial - 1) / partial);
  const std::int64_t strips = (inner + strip - 1) / strip;
  // (outer, partials, inner); a single partial goes to y at once.
  const Buffer scratch(memory, partials > 1 ? partials * lines * std::int64_t{sizeof(double)} : 0,
                       MemoryKind::workspace);
  double* sums = static_cast<double*>(scratch.data());

  const std::int64_t elements = std::min(axis, partial) * std::min(inner, strip);
  parallel_for(
      sizes.outer * partials * strips, rows_a_part(elements), [=](std::int64_t begin, std::int64_t end) {
        for (std::int64_t task = begin; task < end; ++task) {
          const std::int64_t column = task % strips * strip, row = task / strips;  // row of (outer, partials)
          const std::int64_t first = row % partials * partial, n = std::min(partial, axis - first);
          const std::int64_t columns = std::min(strip, inner - column);
          const T* part = x + (row / partials * axis + first) * inner + column;
          double local[strip];
          if (inner == 1) {
            local[0] = sum_of(n, [=](std::int64_t i) { return double{math::to_float(part[i])}; });
          } else {
            sum_columns(part, n, inner, columns, local);
          }
          for (std::int64_t c = 0; c < columns; ++c) {
            if (partials == 1) {
              y[row * inner + column + c] = static_cast<float>(local[c]);
            } else {
              sums[row * inner + column + c] = local[c];
            }
          }
        }
      });
  if (partials == 1) return;
  for (std::int64_t line = 0; line < lines; ++line) {
    const double* first = sums + line / inner * partials * inner + line % inner;
    double total = 0;
    for (std::int64_t p = 0; p < partials; ++p) total += first[p * inner];
    y[line] = static_cast<float>(total);
  }
}

}  // namespace

void sum_axis(Memory& memory, const AxisSizes& sizes, const float* x, float* y) {
  sum_axis_of(memory, sizes, x, y);
}

void sum_axis(Memory& memory, const AxisSizes& sizes, const BFloat16* x, float* y) {
  sum_axis_of(memory, sizes, x, y);
}

double sum_of_squares(Memory& memory, std::int64_t n, const float* x) {
  const std::int64_t partials = (n + partial - 1) / partial;
  const Buffer scratch(memory, partials * std::int64_t{sizeof(double)}, MemoryKind::workspace);
  double* sums = static_cast<double*>(scratch.data());
  parallel_for(partials, rows_a_part(partial), [=](std::int64_t begin, std::int64_t end) {
    for (std::int64_t p = begin; p < end; ++p) {
      const float* part = x + p * partial;
      sums[p] = sum_of(std::min(partial, n - p * partial),
                       [=](std::int64_t i) { return double{part[i]} * double{part[i]}; });
    }
  });
  double total = 0;
  for (std::int64_t p = 0; p < partials; ++p) total += sums[p];
  return total;
}

}  // namespace actlab
