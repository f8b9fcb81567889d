// A table of GELU and of its slope, made by the compiler: no call fills it, so that no thread can be early.
#pragma once

#include <array>

#include "kernels/math/basic.h"
#include "kernels/math/dual.h"
#include "kernels/math/whole.h"

namespace actlab::math {
// A table of its own in each object: one that all share would be a symbol.
namespace {

inline constexpr int gelu_lines = 768, gelu_lines_a_unit = 64;
inline constexpr double gelu_table_end = 6;

/// Values at the ends of the lines, and how much each line rises; beyond the first and the last nothing does.
struct GeluTable {
  std::array<float, gelu_lines + 1> values;
  std::array<float, gelu_lines + 2> rises;
};

/// exp(-t), t >= 0, by the series of exp(t / 64).
constexpr double table_exp_neg(double t) {
  double term = 1, sum = 1;
  for (int i = 1; i < 20; ++i) sum += term *= t / 64 / i;
  for (int i = 0; i < 6; ++i) sum *= sum;
  return 1 / sum;
}

/// phi(x) and Phi(x), by Phi(x) = 1/2 + phi(x) (x + x^3/3 + x^5/(3 * 5) + ...).
struct NormalValues {
  double density, cdf;
};
constexpr NormalValues table_normal(double x) {
  const double density = 0.39894228040143267794 * table_exp_neg(x * x / 2);
  double term = x, sum = x;
  for (int i = 3; i < 240 && sum + term * (x * x / i) != sum; i += 2) sum += term *= x * x / i;
  return {density, 0.5 + density * sum};
}

template <class F>
constexpr GeluTable make_gelu_table(const F& f) {
  GeluTable table{};
  double before = 0;
  for (std::size_t i = 0; i <= gelu_lines; ++i) {
    const double x = static_cast<double>(i) / gelu_lines_a_unit - gelu_table_end;
    const double value = f(x, table_normal(x));
    table.values[i] = static_cast<float>(value);
    if (i > 0) table.rises[i] = static_cast<float>(value - before);
    before = value;
  }
  return table;
}

ACTLAB_TABLE GeluTable gelu_values =
    make_gelu_table([](double x, NormalValues normal) { return x * normal.cdf; });
ACTLAB_TABLE GeluTable gelu_slopes =
    make_gelu_table([](double x, NormalValues normal) { return normal.cdf + x * normal.density; });

ACTLAB_HD std::int32_t as_index(float x) { return static_cast<std::int32_t>(x); }
ACTLAB_HD std::int32_t as_index(double x) { return static_cast<std::int32_t>(x); }
template <class T>
ACTLAB_HD std::int32_t as_index(Dual<T> x) {
  return as_index(x.value);
}

/// The table at x on the straight line between two entries; its ends beyond them, 0 below, and NaN of NaN.
/// Reckoned from the nearer entry: the distance to it is exact, so that small x keep their digits.
template <class V>
ACTLAB_HD V in_gelu_table(const GeluTable& table, V x) {
  const V end = V(gelu_table_end);
  const V within = select(x > -end, select(x < end, x, end), -end);
  const V place = within * V(gelu_lines_a_unit), nearest = whole(place), distance = place - nearest;
  const std::int32_t i = as_index(nearest) + gelu_lines / 2;
  const std::int32_t line = i + (distance < V(0) ? 0 : 1);
  const V value = V(table.values[static_cast<std::size_t>(i)]) +
                  distance * V(table.rises[static_cast<std::size_t>(line)]);
  return keep_nan(x, select(x > -end, value, V(0)));
}

}  // namespace
}  // namespace actlab::math
