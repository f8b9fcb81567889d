// The statistics of comparisons: means with confidence intervals, paired differences, corrected p-values.
#pragma once

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

/// Two-sided p of the paired t-test that the mean difference is 0. Differences that are all the same leave
/// no doubt: 1 where they are 0, else 0.
double paired_p_value(std::span<const double> differences);

/// Holm's step-down correction (Holm 1979): p-values that hold for all comparisons at once. NaN stays NaN and
/// counts as no comparison.
std::vector<double> holm(const std::vector<double>& p_values);

}  // namespace actlab
