// Max-pooling of one activation's outputs on CUDA devices: f is computed where the window is read, and
// backward computes f' only where it is needed, once a window.
#pragma once

#include "kernels/activation_body.h"
#include "kernels/cuda/pool_windows.h"

namespace actlab {
namespace {

template <class A, class T, int n>
__global__ void __launch_bounds__(cuda::block_threads)
    activation_max_pool_kernel(A a, cuda::PoolWindows windows, const cuda::Pack<T, n>* x, cuda::Pack<T, n>* y,
                               cuda::Pack<std::uint8_t, n>* argmax) {
  for (std::int64_t i = cuda::first_piece(); i < windows.count(); i += cuda::piece_step()) {
    const cuda::Pack<T, n>* const window = x + windows.first_element(i);
    cuda::Largest<n> largest;
    windows.for_each_tap([&](int tap, std::int64_t offset) {
      const cuda::Pack<T, n> in = window[offset];
      cuda::Pack<float, n> values;
#pragma unroll
      for (int k = 0; k < n; ++k)  // rounded before they are compared
        values.values[k] = math::to_float(math::from_float<T>(a.f(math::to_float(in.values[k]))));
      largest.meet(tap, values);
    });
    cuda::Pack<T, n> out;
#pragma unroll
    for (int k = 0; k < n; ++k) out.values[k] = math::from_float<T>(largest.values.values[k]);
    y[i] = out;
    argmax[i] = largest.taps;
  }
}

// `kept` lies as x or as y.
template <class A, class T, int n>
__global__ void __launch_bounds__(cuda::block_threads)
    activation_max_pool_backward_kernel(A a, cuda::PoolWindows windows, const cuda::Pack<T, n>* kept,
                                        const cuda::Pack<T, n>* dy, const cuda::Pack<std::uint8_t, n>* argmax,
                                        cuda::Pack<T, n>* dx) {
  for (std::int64_t i = cuda::first_piece(); i < windows.count(); i += cuda::piece_step()) {
    const std::int64_t first = windows.first_element(i);
    const cuda::Pack<std::uint8_t, n> taps = argmax[i];
    const cuda::Pack<T, n> upstream = dy[i];
    cuda::Pack<T, n> gradient;
#pragma unroll
    for (int k = 0; k < n; ++k) {
      const T chosen = A::info.backward_reads == Reads::input
                           ? kept[first + windows.offset(taps.values[k])].values[k]
                       : A::info.backward_reads == Reads::output ? kept[i].values[k]
                                                                 : upstream.values[k];
      gradient.values[k] = math::from_float<T>(math::to_float(upstream.values[k]) *
                                               derivative_from_kept(a, math::to_float(chosen)));
    }
    windows.for_each_tap([&](int tap, std::int64_t offset) {
      cuda::Pack<T, n> out;
#pragma unroll
      for (int k = 0; k < n; ++k)
        out.values[k] = tap == taps.values[k] ? gradient.values[k] : math::from_float<T>(0.0f);
      dx[first + offset] = out;
    });
  }
}

template <class A, class T>
void max_pool(const ParameterValues& values, const PoolSizes& s, const void* x, void* y,
              std::uint8_t* argmax) {
  const auto start = [&]<int n>(const PoolSizes& sizes, const cuda::Pack<T, n>* in, cuda::Pack<T, n>* out,
                                cuda::Pack<std::uint8_t, n>* taps) {
    const cuda::PoolWindows windows(sizes);
    cuda::launch(A::info.name, activation_max_pool_kernel<A, T, n>, cuda::grid_for(windows.count()),
                 activation_with<A>(values), windows, in, out, taps);
  };
  cuda::by_packs(s, start, static_cast<const T*>(x), static_cast<T*>(y), argmax);
}

template <class A, class T>
void max_pool_backward(const ParameterValues& values, const PoolSizes& s, const void* kept, const void* dy,
                       const std::uint8_t* argmax, void* dx) {
  const auto start = [&]<int n>(const PoolSizes& sizes, const cuda::Pack<T, n>* seen,
                                const cuda::Pack<T, n>* upstream, const cuda::Pack<std::uint8_t, n>* taps,
                                cuda::Pack<T, n>* out) {
    const cuda::PoolWindows windows(sizes);
    cuda::launch(A::info.name, activation_max_pool_backward_kernel<A, T, n>, cuda::grid_for(windows.count()),
                 activation_with<A>(values), windows, seen, upstream, taps, out);
  };
  cuda::by_packs(s, start, static_cast<const T*>(kept), static_cast<const T*>(dy), argmax,
                 static_cast<T*>(dx));
}

}  // namespace
}  // namespace actlab
