// Quadrature and golden sections.
#include "experiments/analysis/numeric.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/activation.h"

namespace actlab {

DoubleBodies double_bodies(std::string_view activation) {
  const auto body = [a = ActivationHandle::parse(activation)](ActivationType::Scalar scalar) {
    return [a, scalar](double x) { return scalar(a.values(), x); };
  };
  const ActivationType& type = ActivationHandle::parse(activation).type();
  return {body(type.f), body(type.df), body(type.d2f)};
}

double normal_density(double x) {
  return std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

double normal_cdf(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

double integral(const ScalarFunction& f, double from, double to) {
  constexpr int intervals = 2048;
  const double step = (to - from) / intervals;
  double sum = f(from) + f(to);
  for (int i = 1; i < intervals; ++i) sum += (i % 2 == 0 ? 2 : 4) * f(from + i * step);
  return sum * step / 3;
}

double place_of_maximum(const ScalarFunction& f, double from, double to) {
  constexpr int intervals = 1024;
  const double step = (to - from) / intervals;
  double best = from, largest = f(from);
  for (int i = 1; i <= intervals; ++i) {
    const double x = from + i * step, value = f(x);
    if (value > largest) best = x, largest = value;
  }
  double low = std::max(best - step, from), high = std::min(best + step, to);
  constexpr double section = std::numbers::phi - 1;
  for (int i = 0; i < 60 && high - low > 1e-9; ++i) {
    const double left = high - section * (high - low), right = low + section * (high - low);
    if (f(left) < f(right))
      low = left;
    else
      high = right;
  }
  return (low + high) / 2;
}

}  // namespace actlab
