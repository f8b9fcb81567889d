// Samples gates.
#include "experiments/analysis/gates.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "experiments/analysis/numeric.h"
#include "experiments/runner/activation_values.h"
#include "kernels/backend.h"
#include "kernels/random.h"

namespace actlab {
namespace {

struct Gate {
  std::string name, equals;
  /// One value of it, by the random number of this index.
  std::function<double(double x, const Random& random, std::uint64_t index)> draw;
  std::vector<double> exact;  // at each point
};

// x where a coin shows 1, else 0.
auto coin(const ScalarFunction& probability) {
  return [probability](double x, const Random& random, std::uint64_t index) {
    return random.uniform(index) < probability(x) ? x : 0;
  };
}

std::vector<double> by_kernel(const char* activation, const std::vector<double>& points) {
  const Backend& cpu = find_backend("cpu");
  return activation_values(cpu.activation, cpu.memory, ActivationHandle::parse(activation), DType::f32,
                           points)
      .f;
}

std::vector<double> at_each(const std::vector<double>& points, const ScalarFunction& f) {
  std::vector<double> values;
  for (const double x : points) values.push_back(f(x));
  return values;
}

std::vector<Gate> gates(const std::vector<double>& points) {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  return {{"x Bernoulli(Phi(x))", "GELU(x)", coin(normal_cdf), by_kernel("gelu", points)},
          {"ReLU(x + n), n ~ N(0, 1)", "x Phi(x) + phi(x)",
           [](double x, const Random& random, std::uint64_t index) {
             return std::max(x + random.normal(index), 0.0);
           },
           at_each(points, [](double x) { return x * normal_cdf(x) + normal_density(x); })},
          {"x Bernoulli(1/2)", "x / 2", coin([](double) { return 0.5; }),
           at_each(points, [](double x) { return x / 2; })},
          {"x Bernoulli(sigmoid(x))", "SiLU(x)", coin(sigmoid), by_kernel("silu", points)}};
}

}  // namespace

std::vector<GateMean> gate_means(const std::vector<double>& points, std::int64_t samples,
                                 std::uint64_t seed) {
  std::vector<GateMean> means;
  const auto n = static_cast<double>(samples);
  for (const Gate& gate : gates(points)) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Random random(seed, RandomPurpose::synthetic, means.size() + 1);  // numbers of its own
      double sum = 0, squares = 0;  // of the differences to the mean, so that no digit is lost
      for (std::uint64_t k = 0; k < static_cast<std::uint64_t>(samples); ++k) {
        const double difference = gate.draw(points[i], random, k) - gate.exact[i];
        sum += difference;
        squares += difference * difference;
      }
      const double mean = sum / n, variance = std::max(squares / n - mean * mean, 0.0) * n / (n - 1);
      means.push_back(
          {gate.name, gate.equals, points[i], gate.exact[i] + mean, std::sqrt(variance / n), gate.exact[i]});
    }
  }
  return means;
}

}  // namespace actlab
