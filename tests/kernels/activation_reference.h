// f, f' and f'' of every activation in double, written independently of the bodies: the textbook's formulas
// on the branch where they do not cancel.
#pragma once

#include <cmath>
#include <map>
#include <numbers>
#include <string_view>

namespace actlab::test {

struct Exact {
  double f, df, d2f;
};

/// s = sigmoid(y), c = 1 - s.
struct SigmoidPair {
  double s, c;

  explicit SigmoidPair(double y) {
    const double q = std::exp(-std::fabs(y)), u = 1 / (1 + q);
    s = y >= 0 ? u : q * u;
    c = y >= 0 ? q * u : u;
  }
};

/// x sigmoid(y(x)) from y and its derivatives.
inline Exact exact_x_sigmoid(double x, double y, double dy, double d2y) {
  const auto [s, c] = SigmoidPair(y);
  if (s == 0) return {0, 0, 0};
  if (c == 0) return {x, 1, 0};
  const double s1 = s * c, s2 = s1 * (c - s);
  return {x * s, s + x * s1 * dy, 2 * s1 * dy + x * (s2 * dy * dy + s1 * d2y)};
}

inline Exact exact_gelu(double x) {
  const double cdf = std::erfc(-x / std::numbers::sqrt2) / 2;
  const double density = std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
  if (density == 0) return {cdf == 0 ? 0 : x, cdf, 0};
  return {x * cdf, cdf + x * density, density * (2 - x * x)};
}

inline Exact exact_gelu_scaled(double x, double sigma) {
  const auto [f, df, d2f] = exact_gelu(x / sigma);
  if (d2f == 0) return {df == 0 ? 0 : x, df, 0};
  return {x * std::erfc(-x / sigma / std::numbers::sqrt2) / 2, df, d2f / sigma};
}

inline Exact exact_gelu_tanh(double x) {
  if (std::fabs(x) > 100) return x > 0 ? Exact{x, 1, 0} : Exact{0, 0, 0};
  const double k = 2 * std::sqrt(2 / std::numbers::pi), c = 0.044715;
  return exact_x_sigmoid(x, k * (x + c * x * x * x), k * (1 + 3 * c * x * x), 6 * k * c * x);
}

/// tanh(softplus(x)) = 1 - m = n / (n + 2) in q = exp(-|x|), u = 1 - tanh^2.
inline Exact exact_mish(double x) {
  if (std::fabs(x) > 11000) return x > 0 ? Exact{x, 1, 0} : Exact{0, 0, 0};
  const auto [s, c] = SigmoidPair(x);
  const double q = std::exp(-std::fabs(x));
  const double m = 2 * q * q / (1 + 2 * q + 2 * q * q), n = q * (q + 2);
  const double t = x >= 0 ? 1 - m : n / (n + 2);
  const double u = x >= 0 ? m * (2 - m) : 2 / (n + 2) * (1 + t);
  const double t1 = u * s, t2 = -2 * t * t1 * s + u * s * c;
  return {x * t, t + x * t1, 2 * t1 + x * t2};
}

inline Exact exact_elu(double x, double scale, double alpha) {
  const double e = scale * alpha * std::exp(x);
  return x > 0 ? Exact{scale * x, scale, 0} : Exact{scale * alpha * std::expm1(x), e, e};
}

inline Exact exact_softplus(double x, double beta) {
  const auto [s, c] = SigmoidPair(beta * x);
  return {std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(beta * x))) / beta, s, beta * s * c};
}

inline Exact exact_hardswish(double x) {
  if (x <= -3) return {0, 0, 0};
  return x >= 3 ? Exact{x, 1, 0} : Exact{x * (x + 3) / 6, (2 * x + 3) / 6, 1.0 / 3};
}

inline Exact exact_sigmoid(double x) {
  const auto [s, c] = SigmoidPair(x);
  return {s, s * c, s * c * (c - s)};
}

inline Exact exact_tanh(double x) {
  const auto [s, c] = SigmoidPair(2 * x);
  return {std::tanh(x), 4 * s * c, -8 * std::tanh(x) * s * c};
}

using ExactFunction = Exact (*)(double x, double parameter);

/// The activation of this name at finite x, with its parameter where it has one; null for names without an
/// entry.
inline ExactFunction exact_function(std::string_view name) {
  static const std::map<std::string_view, ExactFunction> functions = {
      {"relu",
       [](double x, double) {
         return x > 0 ? Exact{x, 1, 0} : Exact{0, 0, 0};
       }},
      {"leaky_relu",
       [](double x, double p) {
         return x > 0 ? Exact{x, 1, 0} : Exact{p * x, p, 0};
       }},
      {"elu", [](double x, double p) { return exact_elu(x, 1, p); }},
      {"selu", [](double x, double) { return exact_elu(x, 1.0507009873554804934, 1.6732632423543772848); }},
      {"relu_squared",
       [](double x, double) {
         return x > 0 ? Exact{x * x, 2 * x, 2} : Exact{0, 0, 0};
       }},
      {"silu", [](double x, double) { return exact_x_sigmoid(x, x, 1, 0); }},
      {"swish", [](double x, double p) { return exact_x_sigmoid(x, p * x, p, 0); }},
      {"gelu_sigmoid", [](double x, double p) { return exact_x_sigmoid(x, p * x, p, 0); }},
      {"gelu", [](double x, double) { return exact_gelu(x); }},
      {"gelu_scaled", exact_gelu_scaled},
      {"gelu_tanh", [](double x, double) { return exact_gelu_tanh(x); }},
      {"mish", [](double x, double) { return exact_mish(x); }},
      {"softplus", exact_softplus},
      {"hardswish", [](double x, double) { return exact_hardswish(x); }},
      {"sigmoid", [](double x, double) { return exact_sigmoid(x); }},
      {"tanh", [](double x, double) { return exact_tanh(x); }},
      {"identity",
       [](double x, double) {
         return Exact{x, 1, 0};
       }},
  };
  const auto found = functions.find(name);
  return found == functions.end() ? nullptr : found->second;
}

}  // namespace actlab::test
