// GELU where it is a polynomial, a line, or nearly 0: its Taylor series and its asymptotes.
#pragma once

namespace actlab {

/// x/2 + x^2/sqrt(2 pi) - x^4/(6 sqrt(2 pi)) + ...: the terms about 0 up to this degree, 1 or even.
double gelu_taylor(double x, int degree);

/// -phi(x) (1 - 1/x^2 + 3/x^4 - 15/x^6 ...), x < 0: the first terms, 1 or more, of the asymptotic series
/// towards -inf; from about x^2 / 2 terms on more of them are worse.
double gelu_left_tail(double x, int terms);

}  // namespace actlab
