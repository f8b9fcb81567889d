// What the activation bodies are compiled for. Every function of kernels/math and every activation body is
// always inlined: an inline function left as a symbol would be shared by the objects of all instruction sets.
#pragma once

#if defined(__CUDACC__)
#define ACTLAB_HD __host__ __device__ __forceinline__
#else
#define ACTLAB_HD inline __attribute__((always_inline))
#endif

/// A constant array that bodies read at places known at run time.
#if defined(__CUDACC__)
#define ACTLAB_TABLE __device__ constexpr
#else
#define ACTLAB_TABLE constexpr
#endif

#if defined(__FMA__) || defined(__CUDA_ARCH__)
#define ACTLAB_HAS_FMA 1
#else
#define ACTLAB_HAS_FMA 0
#endif
