// f, f' and f'' of every activation in double, written independently of the bodies: the textbook's formulas
// on the branch where they do not cancel.
#pragma once

#include <cmath>
#include <numbers>
#include <string_view>

#include "kernels/activation.h"

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

/// The activation `name` at a finite x; p is its parameter, where it has one. NaN for names without an entry.
inline Exact exact(std::string_view name, double p, double x) {
  const SigmoidPair pair(x);
  if (name == "relu") return x > 0 ? Exact{x, 1, 0} : Exact{0, 0, 0};
  if (name == "leaky_relu") return x > 0 ? Exact{x, 1, 0} : Exact{p * x, p, 0};
  if (name == "elu") return exact_elu(x, 1, p);
  if (name == "selu") return exact_elu(x, 1.0507009873554804934, 1.6732632423543772848);
  if (name == "relu_squared") return x > 0 ? Exact{x * x, 2 * x, 2} : Exact{0, 0, 0};
  if (name == "silu") return exact_x_sigmoid(x, x, 1, 0);
  if (name == "swish" || name == "gelu_sigmoid") return exact_x_sigmoid(x, p * x, p, 0);
  if (name == "gelu") return exact_gelu(x);
  if (name == "gelu_tanh") return exact_gelu_tanh(x);
  if (name == "mish") return exact_mish(x);
  if (name == "softplus") {
    const auto [s, c] = SigmoidPair(p * x);
    return {std::fmax(x, 0) + std::log1p(std::exp(-std::fabs(p * x))) / p, s, p * s * c};
  }
  if (name == "hardswish") {
    if (x <= -3) return {0, 0, 0};
    if (x >= 3) return {x, 1, 0};
    return {x * (x + 3) / 6, (2 * x + 3) / 6, 1.0 / 3};
  }
  if (name == "sigmoid") return {pair.s, pair.s * pair.c, pair.s * pair.c * (pair.c - pair.s)};
  if (name == "tanh") {
    const double t = std::tanh(x), d = 4 * SigmoidPair(2 * x).s * SigmoidPair(2 * x).c;
    return {t, d, -2 * t * d};
  }
  if (name == "identity") return {x, 1, 0};
  return {NAN, NAN, NAN};
}

inline bool has_exact(const ActivationHandle& handle) {
  return !std::isnan(exact(handle.info().name, handle.values()[0].exact, 1).f);
}
inline Exact exact(const ActivationHandle& handle, double x) {
  return exact(handle.info().name, handle.values()[0].exact, x);
}

}  // namespace actlab::test
