// The statistics of comparisons: means with confidence intervals, paired differences, corrected p-values,
// sizes of effects and of samples.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace actlab {

/// All of these give NaN where there are too few values.
double mean(std::span<const double> values);
/// Of a sample: divides by n - 1.
double standard_deviation(std::span<const double> values);
double median(std::vector<double> values);

/// I_x(a, b), the regularised incomplete beta function, by its continued fraction (DLMF 8.17.22).
double incomplete_beta(double a, double b, double x);
/// P(|T| >= |t|) for Student's t with `freedom` degrees of freedom.
double student_p_value(double t, double freedom);
/// The t with P(T <= t) = probability, which lies in (0, 1).
double student_quantile(double probability, double freedom);

/// Half the width of the 95 % confidence interval of the mean, by Student's t.
double confidence95(std::span<const double> values);

/// The standard deviation of differences; 0 where they are all the same but for their rounding.
double paired_deviation(std::span<const double> differences);

/// Two-sided p of the paired t-test that the mean difference is 0. Differences that are all the same have no
/// spread to hold the mean against: 1 where they are 0, else the sign test's 2^(1-n).
double paired_p_value(std::span<const double> differences);

/// Hedges' g of n paired differences: Cohen's d_z = mean / standard deviation, times
/// J(v) = Gamma(v/2) / (sqrt(v/2) Gamma((v-1)/2)) with v = n - 1, which takes the bias of small samples out
/// (Hedges 1981, J. Educ. Stat. 6:107). NaN of fewer than three, and where all are the same.
double paired_effect(std::span<const double> differences);

/// Pairs that a two-sided paired t-test at `level` needs to see a `difference` with the given power, where
/// the differences have this standard deviation: the least n >= 2 with
/// (t(1 - level/2, n-1) + t(power, n-1)) * deviation / sqrt(n) <= difference. Without a deviation as many as
/// the sign test needs to reach the level. Never above `most_pairs`.
std::int64_t needed_pairs(double difference, double deviation, double level, double power);
constexpr std::int64_t most_pairs = 1001;

/// Holm's step-down correction (Holm 1979): p-values that hold for all comparisons at once. NaN stays NaN and
/// counts as no comparison.
std::vector<double> holm(const std::vector<double>& p_values);

}  // namespace actlab
