// Claims that a computation in double decides.
#include <cmath>

#include "experiments/analysis/claims.h"
#include "experiments/analysis/gaussian.h"
#include "experiments/analysis/numeric.h"
#include "experiments/results/table.h"
#include "kernels/error.h"

namespace actlab {
namespace {

struct Distance {
  double size, place;
};

// The largest |a - b| within [-8, 8].
Distance largest_distance(const ScalarFunction& a, const ScalarFunction& b) {
  const auto distance = [&](double x) { return std::fabs(a(x) - b(x)); };
  const double place = place_of_maximum(distance, -8, 8);
  return {distance(place), place};
}

std::string text(double value) { return readable(value, Unit::plain); }

std::string verdict(bool holds) { return holds ? "true" : "false"; }

Claim second_derivative() {
  const ScalarFunction d2f = double_bodies("gelu").d2f;
  const auto told = [](double x) { return normal_density(x) * (1 - x * x); };
  const auto right = [](double x) { return normal_density(x) * (2 - x * x); };
  const double off = largest_distance(d2f, told).size;
  return {.claim = "f'' of GELU is phi(x) (1 - x^2)",
          .quantity = "f''(0)",
          .claimed = told(0),
          .here = d2f(0),
          .verdict = verdict(off < 1e-12),
          .how = "computed",
          .note = concat("that is up to ", text(off), " off in [-8, 8], phi(x) (2 - x^2) up to ",
                         text(largest_distance(d2f, right).size))};
}

Claim error_of_tanh_form() {
  const DoubleBodies exact = double_bodies("gelu"), form = double_bodies("gelu_tanh");
  const Distance f = largest_distance(form.f, exact.f), df = largest_distance(form.df, exact.df);
  constexpr double told = 1e-4;
  return {.claim = "the tanh form is within 1e-4 of GELU",
          .quantity = "largest error of f",
          .claimed = told,
          .here = f.size,
          .verdict = verdict(f.size < told),
          .how = "computed",
          .note = concat("at |x| = ", text(std::fabs(f.place)), "; of f' ", text(df.size),
                         " at |x| = ", text(std::fabs(df.place)))};
}

Claim mean_of_output() {
  const double mean = gaussian_mean(double_bodies("gelu").f, 1);
  return {.claim = "the output of GELU has a mean of about zero",
          .quantity = "E f(x), x ~ N(0, 1)",
          .claimed = 0.0,
          .here = mean,
          .verdict = verdict(std::fabs(mean) < 0.01),
          .how = "computed",
          .note = concat("of ReLU ", text(gaussian_mean(double_bodies("relu").f, 1)), ", of SiLU ",
                         text(gaussian_mean(double_bodies("silu").f, 1)))};
}

Claim relu_of_noise() {
  // Of x + n = t > 0 only: a smooth function.
  const auto mean = [](double x) {
    return integral([x](double t) { return t * normal_density(t - x); }, 0, 20);
  };
  const auto closed = [](double x) { return x * normal_cdf(x) + normal_density(x); };
  const Distance gelu = largest_distance(mean, double_bodies("gelu").f);
  return {.claim = "GELU(x) is E ReLU(x + n), n ~ N(0, 1)",
          .quantity = "largest distance of the two",
          .claimed = 0.0,
          .here = gelu.size,
          .verdict = verdict(gelu.size < 1e-9),
          .how = "computed",
          .note = concat("that is x Phi(x) + phi(x), to ", text(largest_distance(mean, closed).size),
                         "; GELU(x) is E x Bernoulli(Phi(x)): actlab claims gates")};
}

}  // namespace

std::vector<Claim> mathematical_claims() {
  return {second_derivative(), error_of_tanh_form(), mean_of_output(), relu_of_noise()};
}

}  // namespace actlab
