// Statistics of small samples.
#include "experiments/results/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace actlab {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// The continued fraction of DLMF 8.17.22 by the modified Lentz method; converges fast for
// x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  constexpr int most_terms = 100000;
  const auto away_from_zero = [&](double value) { return std::fabs(value) < tiny ? tiny : value; };
  double c = 1;
  double d = 1 / away_from_zero(1 - (a + b) * x / (a + 1));
  double fraction = d;
  for (int i = 1; i <= most_terms; ++i) {
    const double m = i;
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    double change = 1;
    for (const double term : {even, odd}) {
      d = 1 / away_from_zero(1 + term * d);
      c = away_from_zero(1 + term / c);
      change = c * d;
      fraction *= change;
    }
    if (std::fabs(change - 1) < 1e-16) break;
  }
  return fraction;
}

// Two-sided p of n differences of one sign.
double sign_p_value(double count) { return std::exp2(1 - count); }

}  // namespace

double mean(std::span<const double> values) {
  if (values.empty()) return none;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return none;
  const double center = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - center) * (value - center);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

double median(std::vector<double> values) {
  if (values.empty()) return none;
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double log_beta = std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b);
  return std::exp(a * std::log(x) + b * std::log1p(-x) - log_beta) * beta_fraction(a, b, x) / a;
}

double student_p_value(double t, double freedom) {
  const double square = t * t;
  if (square < freedom) return 1 - incomplete_beta(0.5, freedom / 2, square / (freedom + square));
  return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + square));
}

double student_quantile(double probability, double freedom) {
  if (probability < 0.5) return -student_quantile(1 - probability, freedom);
  const double p_value = 2 * (1 - probability);
  double low = 0;
  double high = 1;
  while (student_p_value(high, freedom) > p_value && high < 1e300) high *= 2;
  // Halves the bracket until no number lies between its ends.
  for (double middle = high / 2; middle > low && middle < high; middle = low + (high - low) / 2)
    (student_p_value(middle, freedom) > p_value ? low : high) = middle;
  return high;
}

double confidence95(std::span<const double> values) {
  if (values.size() < 2) return none;
  const auto count = static_cast<double>(values.size());
  return student_quantile(0.975, count - 1) * standard_deviation(values) / std::sqrt(count);
}

double paired_deviation(std::span<const double> differences) {
  const double deviation = standard_deviation(differences);
  return deviation <= 1e-9 * std::fabs(mean(differences)) ? 0 : deviation;
}

double paired_p_value(std::span<const double> differences) {
  if (differences.size() < 2) return none;
  const auto count = static_cast<double>(differences.size());
  const double center = mean(differences);
  const double deviation = paired_deviation(differences);
  if (deviation == 0) return center == 0 ? 1 : sign_p_value(count);
  return student_p_value(center / (deviation / std::sqrt(count)), count - 1);
}

double paired_effect(std::span<const double> differences) {
  const double deviation = paired_deviation(differences);
  if (differences.size() < 3 || deviation == 0) return none;
  const double half = static_cast<double>(differences.size() - 1) / 2;
  const double correction = std::exp(std::lgamma(half) - std::lgamma(half - 0.5)) / std::sqrt(half);
  return correction * mean(differences) / deviation;
}

std::int64_t needed_pairs(double difference, double deviation, double level, double power) {
  const auto suffice = [&](std::int64_t pairs) {
    const auto count = static_cast<double>(pairs);
    if (deviation == 0) return sign_p_value(count) < level;
    const double distance = student_quantile(1 - level / 2, count - 1) + student_quantile(power, count - 1);
    return distance * deviation <= difference * std::sqrt(count);
  };
  std::int64_t low = 1;  // too few
  std::int64_t high = most_pairs;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (suffice(middle) ? high : low) = middle;
  }
  return high;
}

std::vector<double> holm(const std::vector<double>& p_values) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < p_values.size(); ++i)
    if (!std::isnan(p_values[i])) order.push_back(i);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t i, std::size_t j) { return p_values[i] < p_values[j]; });
  std::vector<double> corrected(p_values.size(), none);
  double largest = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const auto left = static_cast<double>(order.size() - rank);
    largest = std::max(largest, std::min(1.0, left * p_values[order[rank]]));
    corrected[order[rank]] = largest;
  }
  return corrected;
}

}  // namespace actlab
