// Functions of one number: the bodies of activations in double, and integrals and maxima of such functions.
#pragma once

#include <functional>
#include <string_view>

namespace actlab {

using ScalarFunction = std::function<double(double)>;

/// f, f' and f'' of an activation, f'' by dual numbers from the body of f'.
struct DoubleBodies {
  ScalarFunction f, df, d2f;
};
/// Throws ConfigError for an unknown name.
DoubleBodies double_bodies(std::string_view activation);

/// Density and cumulative distribution of N(0, 1).
double normal_density(double x);
double normal_cdf(double x);

/// By Simpson's rule on 2,048 intervals.
double integral(const ScalarFunction& f, double from, double to);

/// The place in [from, to] where f is largest: the best of 1,025 places, then golden sections around it; to
/// about 1e-8.
double place_of_maximum(const ScalarFunction& f, double from, double to);

}  // namespace actlab
