// The terms of the series.
#include "experiments/analysis/gelu_series.h"

#include "experiments/analysis/numeric.h"

namespace actlab {

double gelu_taylor(double x, int degree) {
  // x (Phi(x) - 1/2) = phi(0) sum over k of (-1)^k x^(2k + 2) / (2^k k! (2k + 1)).
  double sum = 0, power = x * x;
  for (int k = 0; 2 * k + 2 <= degree; ++k) {
    sum += power / (2 * k + 1);
    power *= -x * x / (2 * (k + 1));
  }
  return x / 2 + normal_density(0) * sum;
}

double gelu_left_tail(double x, int terms) {
  double sum = 0, term = 1;
  for (int k = 0; k < terms; ++k) {
    sum += term;
    term *= -(2 * k + 1) / (x * x);
  }
  return -normal_density(x) * sum;
}

}  // namespace actlab
