// What an activation makes of Gaussian inputs: moments and shares by quadrature, and a sample of it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/activation.h"

namespace actlab {

inline constexpr double least_sigma = 1e-3, most_sigma = 100;

/// E g(x) for x ~ N(0, sigma^2), sigma from least_sigma to most_sigma: Gauss-Legendre over pieces of at most
/// 1/64, whose ends are multiples of their length, a power of two. Good to 1e-12 of the largest term where
/// kinks and jumps of g lie at such ends.
double gaussian_mean(const std::function<double(double)>& g, double sigma);

struct OutputMoments {
  double mean, variance;
  double fourth;  ///< E (f - mean)^4
};

/// Of f(x), x ~ N(0, sigma^2), by gaussian_mean.
OutputMoments exact_moments(const ActivationHandle& activation, double sigma);
/// Of a sample, variance and fourth divided by its size.
OutputMoments moments_of(const std::vector<double>& values);

/// f(x) by the float kernels of the CPU that training uses, for `samples` numbers from N(0, sigma^2).
std::vector<double> gaussian_outputs(const ActivationHandle& activation, double sigma, std::int64_t samples,
                                     std::uint64_t seed);

/// Bins [edges[i], edges[i + 1]) with one below and one above all of them: edges.size() + 1 shares, which sum
/// up to 1. Edges ascend.
std::vector<double> shares_of(const std::vector<double>& values, const std::vector<double>& edges);
/// The probabilities of the same bins for f(x), x ~ N(0, sigma^2), f taken as straight over pieces of at most
/// 1/1024: good to 1e-5 where f has no extremum within 1e-7 of an edge.
std::vector<double> exact_shares(const ActivationHandle& activation, double sigma,
                                 const std::vector<double>& edges);

}  // namespace actlab
