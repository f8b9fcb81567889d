// Elements of the arrays that the libraries' stand-ins compute with: f32, bf16 or f16, as their types in
// memory.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

#include <bit>
#include <cstddef>
#include <cstdint>

namespace emu {

inline double load(const void* array, cudaDataType_t type, std::size_t i) {
  switch (type) {
    case CUDA_R_16BF:
      return static_cast<double>(__bfloat162float(static_cast<const __nv_bfloat16*>(array)[i]));
    case CUDA_R_16F:
      return static_cast<double>(__half2float(static_cast<const __half*>(array)[i]));
    default:
      return static_cast<double>(static_cast<const float*>(array)[i]);
  }
}

inline void store(void* array, cudaDataType_t type, std::size_t i, float value) {
  switch (type) {
    case CUDA_R_16BF:
      static_cast<__nv_bfloat16*>(array)[i] = __float2bfloat16(value);
      break;
    case CUDA_R_16F:
      static_cast<__half*>(array)[i] = __float2half(value);
      break;
    default:
      static_cast<float*>(array)[i] = value;
  }
}

/// Of an f32 what TF32 has: the lower 13 bits are lost.
inline double as_tf32(double value) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return static_cast<double>(std::bit_cast<float>(bits & ~std::uint32_t{0x1fff}));
}

}  // namespace emu
