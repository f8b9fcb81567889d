// The kernels of one activation for CUDA devices, from the same bodies as the CPU's loops. Included by the
// .cu files that actlab_add_activation generates, one an activation.
#pragma once

#include "kernels/activation_body.h"
#include "kernels/cuda/activation_learned_kernels.h"
#include "kernels/cuda/activation_pool_kernels.h"
#include "kernels/cuda/activation_table.h"
#include "kernels/cuda/map.h"
#include "kernels/cuda/places.h"

namespace actlab {
namespace {

template <class A>
struct Forward {
  A a;
  ACTLAB_HD float operator()(std::int64_t, float x) const { return a.f(x); }
};

template <class A>
struct Backward {
  A a;
  ACTLAB_HD float operator()(std::int64_t, float kept, float dy) const {
    return dy * derivative_from_kept(a, kept);
  }
};

// A piece is `size` columns of a row, columns a multiple of it.
template <int size, class A, class T>
__global__ void __launch_bounds__(cuda::block_threads)
    gate_kernel(A a, const T* x, T* y, std::int64_t n, cuda::Divisor columns) {
#pragma unroll 1
  for (std::int64_t i = cuda::first_piece() * size; i < n; i += cuda::piece_step() * size) {
    const std::int64_t at = columns.whole(i) * columns.divisor() + i;  // of the gate; a row of x holds up too
    const auto gate = cuda::read_pack<size>(x + at), up = cuda::read_pack<size>(x + at + columns.divisor());
    cuda::Pack<T, size> out;
#pragma unroll
    for (int k = 0; k < size; ++k)
      out.values[k] = math::from_float<T>(a.f(math::to_float(gate.values[k])) * math::to_float(up.values[k]));
    cuda::write_pack<size>(y + i, out);
  }
}

template <int size, class A, class T>
__global__ void __launch_bounds__(cuda::block_threads)
    gate_backward_kernel(A a, const T* x, const T* dy, T* dx, std::int64_t n, cuda::Divisor columns) {
#pragma unroll 1
  for (std::int64_t i = cuda::first_piece() * size; i < n; i += cuda::piece_step() * size) {
    const std::int64_t at = columns.whole(i) * columns.divisor() + i;
    const auto gate = cuda::read_pack<size>(x + at), up = cuda::read_pack<size>(x + at + columns.divisor()),
               upstream = cuda::read_pack<size>(dy + i);
    cuda::Pack<T, size> dgate, dup;
#pragma unroll
    for (int k = 0; k < size; ++k) {
      const float g = math::to_float(gate.values[k]), d = math::to_float(upstream.values[k]);
      dgate.values[k] = math::from_float<T>(d * math::to_float(up.values[k]) * a.df(g));
      dup.values[k] = math::from_float<T>(d * a.f(g));
    }
    cuda::write_pack<size>(dx + at, dgate);
    cuda::write_pack<size>(dx + at + columns.divisor(), dup);
  }
}

// The launches of the table.

template <class A, class T>
void forward(const ParameterValues& values, const void* x, void* y, std::int64_t n) {
  cuda::map(A::info.name, n, Forward<A>{activation_with<A>(values)}, static_cast<T*>(y),
            static_cast<const T*>(x));
}

template <class A, class T>
void backward(const ParameterValues& values, const void* kept, const void* dy, void* dx, std::int64_t n) {
  constexpr bool reads = A::info.backward_reads != Reads::nothing;
  cuda::map(A::info.name, n, Backward<A>{activation_with<A>(values)}, static_cast<T*>(dx),
            static_cast<const T*>(reads ? kept : dy), static_cast<const T*>(dy));
}

template <class A, class T>
void gate(const ParameterValues& values, const void* x, void* y, std::int64_t rows, std::int64_t columns) {
  constexpr int size = cuda::pack_size<T>;
  const T* const in = static_cast<const T*>(x);
  T* const out = static_cast<T*>(y);
  const bool packs = columns % size == 0 && cuda::packs_of<size>(in) && cuda::packs_of<size>(out);
  const std::int64_t n = rows * columns;
  cuda::launch(A::info.gated, packs ? gate_kernel<size, A, T> : gate_kernel<1, A, T>,
               cuda::grid_for(packs ? n / size : n), activation_with<A>(values), in, out, n,
               cuda::Divisor(columns));
}

template <class A, class T>
void gate_backward(const ParameterValues& values, const void* x, const void* dy, void* dx, std::int64_t rows,
                   std::int64_t columns) {
  constexpr int size = cuda::pack_size<T>;
  const T* const in = static_cast<const T*>(x);
  const T* const upstream = static_cast<const T*>(dy);
  T* const out = static_cast<T*>(dx);
  const bool packs = columns % size == 0 && cuda::packs_of<size>(in) && cuda::packs_of<size>(upstream) &&
                     cuda::packs_of<size>(out);
  const std::int64_t n = rows * columns;
  cuda::launch(A::info.gated, packs ? gate_backward_kernel<size, A, T> : gate_backward_kernel<1, A, T>,
               cuda::grid_for(packs ? n / size : n), activation_with<A>(values), in, upstream, out, n,
               cuda::Divisor(columns));
}

template <class A, class T>
constexpr CudaActivationLaunches cuda_activation_launches() {
  CudaActivationLaunches launches{forward<A, T>, backward<A, T>, max_pool<A, T>, max_pool_backward<A, T>};
  if constexpr (!A::info.gated.empty()) {
    launches.gate = gate<A, T>;
    launches.gate_backward = gate_backward<A, T>;
  }
  if constexpr (has_learnable<A>) {
    launches.learned_forward = learned_forward<A, T>;
    launches.learned_backward = learned_backward<A, T>;
  }
  return launches;
}

template <class A>
constexpr CudaActivationTable cuda_activation_table() {
  return {cuda_activation_launches<A, float>(), cuda_activation_launches<A, BFloat16>(),
          cuda_activation_launches<A, Float16>()};
}

}  // namespace
}  // namespace actlab
