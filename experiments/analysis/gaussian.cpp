// Quadrature under a Gaussian, and sampling from it.
#include "experiments/analysis/gaussian.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "experiments/analysis/numeric.h"
#include "experiments/runner/activation_values.h"
#include "kernels/backend.h"
#include "kernels/error.h"
#include "kernels/random.h"

namespace actlab {
namespace {

// Beyond that many sigma lies less than 1e-32 of it.
constexpr double reach = 12;

// Nodes and weights of the Gauss-Legendre rule with five points on [-1, 1]; Abramowitz, Stegun 1964,
// table 25.4.
constexpr std::array<std::pair<double, double>, 5> legendre = {
    {{-0.906179845938663993, 0.236926885056189088},
     {-0.538469310105683091, 0.478628670499366468},
     {0, 0.568888888888888889},
     {0.538469310105683091, 0.478628670499366468},
     {0.906179845938663993, 0.236926885056189088}}};

// Calls visit(a, b) for pieces that cover 12 sigma to both sides, `longest` long or less for a small sigma.
template <class Visit>
void visit_pieces(double sigma, double longest, Visit&& visit) {
  ACTLAB_CHECK(sigma >= least_sigma && sigma <= most_sigma, "sigma: wanted ", least_sigma, " to ", most_sigma,
               ", found ", sigma);
  const double length = std::min(longest, std::exp2(std::floor(std::log2(sigma * longest))));
  const double last = std::ceil(reach * sigma / length);
  for (double i = -last; i < last; ++i) visit(i * length, (i + 1) * length);
}

std::size_t bin_of(const std::vector<double>& edges, double value) {
  return static_cast<std::size_t>(std::upper_bound(edges.begin(), edges.end(), value) - edges.begin());
}

// Spreads a share evenly over the values from `low` to `high`.
void add_share(std::vector<double>& shares, const std::vector<double>& edges, double low, double high,
               double share) {
  const std::size_t first = bin_of(edges, low), last = bin_of(edges, high);
  double begin = low;
  for (std::size_t bin = first; bin < last; begin = edges[bin++])
    shares[bin] += share * (edges[bin] - begin) / (high - low);
  shares[last] += first == last ? share : share * (high - begin) / (high - low);
}

}  // namespace

double gaussian_mean(const std::function<double(double)>& g, double sigma) {
  double sum = 0;
  visit_pieces(sigma, 1.0 / 64, [&](double a, double b) {
    const double middle = (a + b) / 2, half = (b - a) / 2;
    for (const auto& [node, weight] : legendre) {
      const double x = middle + half * node, z = x / sigma;
      sum += weight * half * std::exp(-z * z / 2) * g(x);
    }
  });
  return sum / (sigma * std::sqrt(2 * std::numbers::pi));
}

OutputMoments exact_moments(const ActivationHandle& activation, double sigma) {
  const auto f = [&](double x) { return activation.type().f(activation.values(), x); };
  OutputMoments moments{};
  moments.mean = gaussian_mean(f, sigma);
  const auto square = [&](double x) { return (f(x) - moments.mean) * (f(x) - moments.mean); };
  moments.variance = gaussian_mean(square, sigma);
  moments.fourth = gaussian_mean([&](double x) { return square(x) * square(x); }, sigma);
  return moments;
}

OutputMoments moments_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  OutputMoments moments{};
  for (const double value : values) moments.mean += value / n;
  for (const double value : values) {
    const double square = (value - moments.mean) * (value - moments.mean);
    moments.variance += square / n;
    moments.fourth += square * square / n;
  }
  return moments;
}

std::vector<double> gaussian_outputs(const ActivationHandle& activation, double sigma, std::int64_t samples,
                                     std::uint64_t seed) {
  const Backend& backend = find_backend("cpu");
  const Random random(seed, RandomPurpose::synthetic);
  constexpr std::int64_t block = 1 << 16;
  std::vector<double> outputs;
  outputs.reserve(static_cast<std::size_t>(samples));
  for (std::int64_t first = 0; first < samples; first += block) {
    std::vector<double> x;
    for (std::int64_t i = first; i < std::min(samples, first + block); ++i)
      x.push_back(sigma * random.normal(static_cast<std::uint64_t>(i)));
    const ActivationValues values =
        activation_values(backend.activation, backend.memory, activation, DType::f32, x);
    outputs.insert(outputs.end(), values.f.begin(), values.f.end());
  }
  return outputs;
}

std::vector<double> shares_of(const std::vector<double>& values, const std::vector<double>& edges) {
  std::vector<double> shares(edges.size() + 1);
  for (const double value : values) shares[bin_of(edges, value)] += 1;
  for (double& share : shares) share /= static_cast<double>(values.size());
  return shares;
}

std::vector<double> exact_shares(const ActivationHandle& activation, double sigma,
                                 const std::vector<double>& edges) {
  std::vector<double> shares(edges.size() + 1);
  visit_pieces(sigma, 1.0 / 1024, [&](double a, double b) {
    // The values just inside the piece: at its ends f may jump.
    const double inside = 1e-6 * (b - a);
    const double at_a = activation.type().f(activation.values(), a + inside);
    const double at_b = activation.type().f(activation.values(), b - inside);
    add_share(shares, edges, std::min(at_a, at_b), std::max(at_a, at_b),
              a < 0 ? normal_cdf(b / sigma) - normal_cdf(a / sigma)
                    : normal_cdf(-a / sigma) - normal_cdf(-b / sigma));
  });
  return shares;
}

}  // namespace actlab
