// The curves of an activation in double, and how far those of two activations lie apart.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/activation.h"

namespace actlab {

enum class Curve : std::uint8_t { f, df, d2f };
/// "f", "df", "d2f".
std::string_view name_of(Curve curve);
/// Names separated by commas. Throws ConfigError with the names there are, and for a name given twice.
std::vector<Curve> parse_curves(std::string_view names);

/// By the reference bodies; a parameter that is trained or observed has its value in the handle.
double value_of(const ActivationHandle& activation, Curve curve, double x);

/// `points` >= 2 numbers from `from` to `to`, equally far apart; each of them the nearest double where these
/// are whole numbers of steps.
std::vector<double> grid(double from, double to, std::int64_t points);

/// The largest |difference| and the x where it is, the positive one of two that are alike; the root of the
/// mean square for x ~ N(0, sigma^2).
struct CurveError {
  double most;
  double at;
  double rms;
};

/// Of `approximation` to `exact` over [from, to], rms over all x. Sought on 1024 points a unit, at most a
/// million in all, and narrowed down beside the best one.
CurveError curve_error(const ActivationHandle& approximation, const ActivationHandle& exact, Curve curve,
                       double from, double to, double sigma);

}  // namespace actlab
