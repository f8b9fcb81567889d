// Quotients. A device's own division tests its operands and calls a function for the hard ones, which costs
// more than the quotient and computes the elements of a thread one after another; here it takes the
// hardware's rough reciprocal and repairs the quotient once.
//
// In float 2^-60 <= |b| <= 2^60; where |a| < 2^-101, b has few bits, as 1, 2 and 6 have, or the residual
// would lose some.
#pragma once

#include "kernels/math/basic.h"
#include "kernels/math/ptx.h"

namespace actlab::math {

/// 1 / b within a unit in the last place, for those who repair it by 1 - b u.
template <class V>
ACTLAB_HD V near_reciprocal(V b) {
  return V(1) / b;
}

/// a / b, on a device within 0.5 + 2^-19 units in the last place; neither a nor the quotient is beyond 3e38
/// in size.
template <class V>
ACTLAB_HD V divide(V a, V b) {
  return a / b;
}
/// The same; neither a nor the quotient is below -3e38.
template <class V>
ACTLAB_HD V divide_up_to_infinity(V a, V b) {
  return a / b;
}

/// a / b from r = 1 / b within two units in the last place and q = a r: within 0.5 + 2^-19 units. q is off by
/// less than 5 units, of which the residual a - b q, times r, leaves the part 1 - b r, at most 2^-22.
ACTLAB_HD float repaired_quotient(float a, float b, float r, float q) {
  return ::fmaf(::fmaf(b, q, -a), -r, q);  // in these signs: -0 / b stays -0
}
ACTLAB_HD float quotient_by(float r, float a, float b) { return repaired_quotient(a, b, r, a * r); }
/// The largest float stands for an infinite q: its residual is infinite or 0.
ACTLAB_HD float quotient_up_to_infinity_by(float r, float a, float b) {
  return repaired_quotient(a, b, r, ::fminf(a * r, 0x1.fffffep+127f));
}

#if defined(__CUDA_ARCH__) || defined(CUDA_EMULATION)
template <>
ACTLAB_HD float near_reciprocal(float b) {
  return ptx::reciprocal(b);
}
template <>
ACTLAB_HD float divide(float a, float b) {
  return quotient_by(ptx::reciprocal(b), a, b);
}
template <>
ACTLAB_HD float divide_up_to_infinity(float a, float b) {
  return quotient_up_to_infinity_by(ptx::reciprocal(b), a, b);
}
#endif

}  // namespace actlab::math
