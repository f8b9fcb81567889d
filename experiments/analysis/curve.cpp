// Values of curves and their differences.
#include "experiments/analysis/curve.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/analysis/gaussian.h"
#include "experiments/analysis/numeric.h"
#include "kernels/error.h"

namespace actlab {
namespace {

constexpr std::array curves = {Curve::f, Curve::df, Curve::d2f};

Curve parse_curve(std::string_view name) {
  std::vector<std::string> known;
  for (const Curve curve : curves) {
    if (name_of(curve) == name) return curve;
    known.emplace_back(name_of(curve));
  }
  throw ConfigError(concat("unknown curve '", name, "'; there are f, df, d2f", nearest_names(name, known)));
}

}  // namespace

std::string_view name_of(Curve curve) {
  switch (curve) {
    case Curve::f:
      return "f";
    case Curve::df:
      return "df";
    case Curve::d2f:
      return "d2f";
  }
  throw Error("name_of: no such curve");
}

std::vector<Curve> parse_curves(std::string_view names) {
  std::vector<Curve> chosen;
  for (bool more = true; more;) {
    const std::size_t end = names.find(',');
    const Curve curve = parse_curve(names.substr(0, end));
    if (std::find(chosen.begin(), chosen.end(), curve) != chosen.end())
      throw ConfigError(concat("the curve '", name_of(curve), "' is given twice"));
    chosen.push_back(curve);
    more = end != names.npos;
    if (more) names.remove_prefix(end + 1);
  }
  return chosen;
}

double value_of(const ActivationHandle& activation, Curve curve, double x) {
  const ActivationType& type = activation.type();
  const auto body = curve == Curve::f ? type.f : curve == Curve::df ? type.df : type.d2f;
  return body(activation.values(), x);
}

std::vector<double> grid(double from, double to, std::int64_t points) {
  ACTLAB_CHECK(points >= 2, "grid: wanted at least 2 points, found ", points);
  std::vector<double> values;
  const auto last = static_cast<double>(points - 1);
  for (double i = 0; i <= last; ++i) values.push_back((from * (last - i) + to * i) / last);
  return values;
}

CurveError curve_error(const ActivationHandle& approximation, const ActivationHandle& exact, Curve curve,
                       double from, double to, double sigma) {
  const auto error = [&](double x) {
    return std::fabs(value_of(approximation, curve, x) - value_of(exact, curve, x));
  };
  constexpr double most_points = 1 << 20;
  const double points = std::clamp(std::ceil(1024 * (to - from)) + 1, 2.0, most_points);
  const std::vector<double> xs = grid(from, to, static_cast<std::int64_t>(points));
  double at = from, most = error(from);
  for (const double x : xs)
    if (const double here = error(x); here > most) at = x, most = here;
  const double step = (to - from) / (points - 1);
  const double beside = place_of_maximum(error, std::max(from, at - step), std::min(to, at + step));
  if (error(beside) > most) at = beside, most = error(beside);
  if (at < 0 && -at <= to && error(-at) >= most * (1 - 1e-9)) at = -at;
  return {most, at, std::sqrt(gaussian_mean([&](double x) { return error(x) * error(x); }, sigma))};
}

}  // namespace actlab
