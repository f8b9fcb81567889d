// What one activation can do on a CUDA device: functions that start its kernels, by element type.
#pragma once

#include "kernels/activation.h"
#include "kernels/backend.h"

namespace actlab {

/// Arrays of one type, on the device; the arguments mean what they mean to ActivationKernels.
struct CudaActivationLaunches {
  using Forward = void (*)(const ParameterValues&, const void* x, void* y, std::int64_t n);
  using Backward = void (*)(const ParameterValues&, const void* kept, const void* dy, void* dx,
                            std::int64_t n);
  using MaxPool = void (*)(const ParameterValues&, const PoolSizes&, const void* x, void* y,
                           std::uint8_t* argmax);
  /// Every element of dx is written.
  using MaxPoolBackward = void (*)(const ParameterValues&, const PoolSizes&, const void* kept, const void* dy,
                                   const std::uint8_t* argmax, void* dx);
  using Gate = void (*)(const ParameterValues&, const void* x, void* y, std::int64_t rows,
                        std::int64_t columns);
  using GateBackward = void (*)(const ParameterValues&, const void* x, const void* dy, void* dx,
                                std::int64_t rows, std::int64_t columns);
  /// With learned[i % period] as the learnable parameter of element i.
  using LearnedForward = void (*)(const ParameterValues&, const float* learned, std::int64_t period,
                                  const void* x, void* y, std::int64_t n);
  using LearnedBackward = void (*)(const ParameterValues&, const float* learned, std::int64_t period,
                                   const void* x, const void* dy, void* dx, float* dlearned, std::int64_t n);
  Forward forward;
  Backward backward;
  MaxPool max_pool;
  MaxPoolBackward max_pool_backward;
  Gate gate = nullptr;                         ///< null where the activation names no gated form
  GateBackward gate_backward = nullptr;        ///< likewise
  LearnedForward learned_forward = nullptr;    ///< null where no parameter is learnable
  LearnedBackward learned_backward = nullptr;  ///< likewise
};

struct CudaActivationTable {
  CudaActivationLaunches f32, bf16, f16;
};

}  // namespace actlab
