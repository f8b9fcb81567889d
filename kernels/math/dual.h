// Dual numbers: a value and its derivative, carried through the generic bodies.
#pragma once

#include "kernels/math/basic.h"

namespace actlab::math {

/// value + derivative * epsilon, epsilon^2 = 0. Comparisons look at the value.
template <class T>
struct Dual {
  T value, derivative;

  ACTLAB_HD Dual(T v = 0, T d = 0) : value(v), derivative(d) {}

  friend ACTLAB_HD Dual operator-(Dual a) { return {-a.value, -a.derivative}; }
  friend ACTLAB_HD Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.derivative + b.derivative}; }
  friend ACTLAB_HD Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.derivative - b.derivative}; }
  friend ACTLAB_HD Dual operator*(Dual a, Dual b) {
    return {a.value * b.value, a.derivative * b.value + a.value * b.derivative};
  }
  friend ACTLAB_HD Dual operator/(Dual a, Dual b) {
    const T quotient = a.value / b.value;
    return {quotient, (a.derivative - quotient * b.derivative) / b.value};
  }
  friend ACTLAB_HD bool operator<(Dual a, Dual b) { return a.value < b.value; }
  friend ACTLAB_HD bool operator>(Dual a, Dual b) { return a.value > b.value; }
  friend ACTLAB_HD bool operator<=(Dual a, Dual b) { return a.value <= b.value; }
  friend ACTLAB_HD bool operator>=(Dual a, Dual b) { return a.value >= b.value; }
  friend ACTLAB_HD bool operator==(Dual a, Dual b) { return a.value == b.value; }
};

template <class T>
ACTLAB_HD Dual<T> abs_cap(Dual<T> x, Dual<T> cap) {
  const Dual<T> a = x.value < 0 ? -x : x;
  return a < cap ? a : cap;
}
template <class T>
ACTLAB_HD Dual<T> sqrt(Dual<T> x) {
  const T root = sqrt(x.value);
  return {root, x.derivative / (2 * root)};
}
template <class T>
ACTLAB_HD Dual<T> exp(Dual<T> x) {
  const T e = exp(x.value);
  return {e, x.derivative * e};
}
template <class T>
ACTLAB_HD Dual<T> expm1(Dual<T> x) {
  return {expm1(x.value), x.derivative * exp(x.value)};
}
template <class T>
ACTLAB_HD Dual<T> log1p(Dual<T> x) {
  return {log1p(x.value), x.derivative / (1 + x.value)};
}
template <class T>
ACTLAB_HD Dual<T> erfc(Dual<T> x) {
  constexpr T two_over_sqrt_pi = T(1.1283791670955125739);
  return {erfc(x.value), -x.derivative * two_over_sqrt_pi * exp(-x.value * x.value)};
}

}  // namespace actlab::math
