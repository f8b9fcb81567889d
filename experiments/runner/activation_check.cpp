// Samples every kernel of an activation against its double bodies.
#include "experiments/runner/activation_check.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/runner/activation_values.h"
#include "kernels/cpu/activation.h"
#include "kernels/reference/activation.h"

namespace actlab {
namespace {

// Precision of an element type: bits of the significand, exponents of the least normal and the largest value.
struct Format {
  DType dtype;
  int bits;
  int least_exponent;
  double f_limit, df_limit;
};

constexpr Format formats[] = {
    {DType::f32, 24, -126, 3, 4}, {DType::bf16, 8, -126, 0.501, 1.01}, {DType::f16, 11, -14, 0.501, 1.01}};

double ulp(const Format& format, double value) {
  const int exponent =
      value == 0 ? format.least_exponent : std::max(std::ilogb(value), format.least_exponent);
  return std::ldexp(1.0, exponent - format.bits + 1);
}

// Both signs: magnitudes spread over every exponent that the type has, densely where functions bend, and
// special values.
std::vector<double> sample(const Format& format) {
  std::vector<double> points = {0.0, std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
  for (double x = std::ldexp(1.0, format.least_exponent); x < 128; x *= 1.25) points.push_back(x);
  for (double x = 1e-3; x < 110; x += 0.0137) points.push_back(x);
  for (double x = 1e-3; x < 8; x *= 1.0009) points.push_back(x);
  const std::size_t positive = points.size();
  for (std::size_t i = 0; i < positive; ++i) points.push_back(-points[i]);
  return points;
}

// Error in units; values that are not finite must agree exactly, results below the normal range only to two
// of its steps.
double error_in(double found, double exact, double unit, double least_step, double largest) {
  if (std::isnan(exact)) return std::isnan(found) ? 0 : std::numeric_limits<double>::infinity();
  if (std::isinf(exact) || std::fabs(exact) > largest || std::isinf(found))
    return found == exact || std::fabs(exact) > largest ? 0 : std::numeric_limits<double>::infinity();
  const double error = std::fabs(found - exact);
  if (!(error > least_step)) return 0;
  return error / unit;
}

void note(ActivationCheckRow& row, double error, double x) {
  if (error > row.error || std::isnan(error)) row.error = error, row.at = x;
}

ActivationCheckRow check_dparameter(const ActivationHandle& activation, const ActivationValues& values,
                                    ActivationCheckRow row) {
  for (std::size_t i = 0; i < values.x.size(); ++i) {
    const double exact = activation.type().dparameter(activation.values(), values.x[i]);
    note(row,
         error_in(values.dparameter[i], exact, std::max(1e-5 * std::fabs(exact), 1e-6), 0,
                  std::numeric_limits<float>::max()),
         values.x[i]);
  }
  return row;
}

void check_kernels(const std::string& backend, ActivationKernels& kernels, Memory& memory,
                   const ActivationHandle& activation, std::vector<ActivationCheckRow>& rows) {
  const ActivationType& type = activation.type();
  const bool exact = type.info.accuracy == Accuracy::exact;
  for (const Format& format : formats) {
    const ActivationValues values =
        activation_values(kernels, memory, activation, format.dtype, sample(format));
    const std::string dtype(name_of(format.dtype));
    ActivationCheckRow f{activation.spelled(), backend, dtype, "f", 0, 0, format.f_limit};
    ActivationCheckRow df{activation.spelled(), backend, dtype, "df", 0, 0, format.df_limit};
    const double step = 2 * std::ldexp(1.0, format.least_exponent - format.bits + 1);
    const double largest = std::ldexp(2.0 - std::ldexp(1.0, 1 - format.bits), 1 - format.least_exponent);
    const double u = std::ldexp(1.0, -format.bits);
    for (std::size_t i = 0; i < values.x.size(); ++i) {
      const double x = values.x[i];
      const double y = type.f(activation.values(), x), slope = type.df(activation.values(), x);
      const double bend = std::min(std::fabs(x), 1.0) * std::fabs(type.d2f(activation.values(), x));
      const double slope_unit = u * std::max(std::fabs(slope), std::isfinite(bend) ? bend : 0.0);
      // Without the promise: 1e-5 relative or 1e-6 absolute.
      const double loose_y = std::max(1e-5 * std::fabs(y), 1e-6) / format.f_limit;
      const double loose_slope = std::max(1e-5 * std::fabs(slope), 1e-6) / format.df_limit;
      note(f, error_in(values.f[i], y, std::max(ulp(format, y), exact ? 0.0 : loose_y), step, largest), x);
      note(df, error_in(values.df[i], slope, std::max(slope_unit, exact ? 0.0 : loose_slope), step, largest),
           x);
    }
    rows.push_back(f);
    rows.push_back(df);
    if (!values.dparameter.empty())
      rows.push_back(check_dparameter(activation, values,
                                      {activation.spelled(), backend, dtype, "dparameter", 0, 0, 1}));
  }
}

// `exact` (x) against the central difference of f(x, h) = the function that moves by h.
template <class Exact, class Moved>
ActivationCheckRow check_differences(const ActivationHandle& activation, const std::string& what,
                                     const Exact& exact, const Moved& f) {
  ActivationCheckRow row{activation.spelled(), "reference", "f64", what + ", differences", 0, 0, 1e-7};
  constexpr double h = 1e-5;
  for (double x = -12.00371; x < 12; x += 0.0173) {  // never within h of a kink at a round number
    const double slope = exact(x), difference = (f(x, h) - f(x, -h)) / (2 * h);
    note(row, std::fabs(slope - difference) / std::max(1.0, std::fabs(slope)), x);
  }
  return row;
}

std::vector<ActivationCheckRow> check_derivatives(const ActivationHandle& activation) {
  const ActivationType& type = activation.type();
  const ParameterValues& values = activation.values();
  if (type.info.straight_through) return {};
  std::vector<ActivationCheckRow> rows = {check_differences(
      activation, "df", [&](double x) { return type.df(values, x); },
      [&](double x, double h) { return type.f(values, x + h); })};
  if (type.learnable() == nullptr) return rows;
  rows.push_back(check_differences(
      activation, "dparameter", [&](double x) { return type.dparameter(values, x); },
      [&](double x, double h) { return type.f(activation.trained(activation.start() + h).values(), x); }));
  return rows;
}

}  // namespace

std::vector<ActivationCheckRow> check_activation(const ActivationHandle& given) {
  const ActivationHandle activation = without_observing(given);
  std::vector<ActivationCheckRow> rows = check_derivatives(activation);
  Memory& host = find_backend("reference").memory;
  check_kernels("reference", *make_reference_activation(), host, activation, rows);
  for (const Isa isa : {Isa::baseline, Isa::avx2, Isa::avx512})
    if (cpu_supports(isa))
      check_kernels(concat("cpu ", name_of(isa)), *make_cpu_activation(isa), host, activation, rows);
  if (activation.type().cuda != nullptr && best_device().device == "cuda") {
    const Backend& device = find_backend("cuda");
    check_kernels("cuda", device.activation, device.memory, activation, rows);
  }
  return rows;
}

}  // namespace actlab
