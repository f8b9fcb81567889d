// Instructions of NVIDIA's GPUs that C++ has no word for, as the manual of PTX promises them. In device code
// only; the emulation brings a reciprocal of its own.
#pragma once

#include <cstdint>

#include "kernels/math/target.h"

#if defined(__CUDA_ARCH__)
namespace actlab::ptx {

/// 1 / b within a unit in the last place; b and the result are not subnormal.
ACTLAB_HD float reciprocal(float b) {
  float r;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(b));
  return r;
}

// Conversions: to nearest even, subnormals kept; NaN becomes 0x7fff.

ACTLAB_HD float from_bf16(std::uint16_t bits) {
  float x;
  asm("mov.b32 %0, {0, %1};" : "=f"(x) : "h"(bits));
  return x;
}
ACTLAB_HD float from_f16(std::uint16_t bits) {
  float x;
  asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
  return x;
}
ACTLAB_HD std::uint16_t to_f16(float x) {
  std::uint16_t bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}
/// From compute capability 8.0 on.
ACTLAB_HD std::uint16_t to_bf16(float x) {
  std::uint16_t bits;
  asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
  return bits;
}

// Stores of 8 or 16 bytes in global memory, at a multiple of that.

ACTLAB_HD void store(void* to, const uint2& bits) {
  asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(to)), "r"(bits.x),
               "r"(bits.y)
               : "memory");
}
ACTLAB_HD void store(void* to, const uint4& bits) {
  asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(to)), "r"(bits.x),
               "r"(bits.y), "r"(bits.z), "r"(bits.w)
               : "memory");
}

}  // namespace actlab::ptx
#endif
