// Max-pooling of one activation's outputs on CUDA devices: f is computed where the window is read, and
// backward computes f' only where it is needed, once a window.
#pragma once

#include "kernels/activation_body.h"
#include "kernels/cuda/map.h"
#include "kernels/cuda/pool_windows.h"

namespace actlab {
namespace {

template <class A, class T>
__global__ void __launch_bounds__(cuda::block_threads)
    activation_max_pool_kernel(A a, cuda::PoolWindows windows, const T* x, T* y, std::uint8_t* argmax) {
  for (std::int64_t i = cuda::first_piece(); i < windows.count(); i += cuda::piece_step()) {
    const T* const window = x + windows.first_element(i);
    const auto f = [&](int tap) {  // rounded before it is compared
      return math::to_float(math::from_float<T>(a.f(math::to_float(window[windows.offset(tap)]))));
    };
    float best = f(0);
    int place = 0;
    for (int tap = 1; tap < windows.taps(); ++tap) {
      const float value = f(tap);
      if (value <= best || best != best) continue;  // the first of equals and the first NaN stay
      best = value;
      place = tap;
    }
    y[i] = math::from_float<T>(best);
    argmax[i] = static_cast<std::uint8_t>(place);
  }
}

// `kept` lies as x or as y.
template <class A, class T>
__global__ void __launch_bounds__(cuda::block_threads)
    activation_max_pool_backward_kernel(A a, cuda::PoolWindows windows, const T* kept, const T* dy,
                                        const std::uint8_t* argmax, T* dx) {
  for (std::int64_t i = cuda::first_piece(); i < windows.count(); i += cuda::piece_step()) {
    const std::int64_t first = windows.first_element(i);
    const int place = argmax[i];
    const T chosen = A::info.backward_reads == Reads::input    ? kept[first + windows.offset(place)]
                     : A::info.backward_reads == Reads::output ? kept[i]
                                                               : dy[i];
    const float gradient = math::to_float(dy[i]) * derivative_from_kept(a, math::to_float(chosen));
    for (int tap = 0; tap < windows.taps(); ++tap)
      dx[first + windows.offset(tap)] = math::from_float<T>(tap == place ? gradient : 0.0f);
  }
}

template <class A, class T>
void max_pool(const ParameterValues& values, const PoolSizes& sizes, const void* x, void* y,
              std::uint8_t* argmax) {
  const cuda::PoolWindows windows(sizes);
  cuda::launch(A::info.name, activation_max_pool_kernel<A, T>, cuda::grid_for(windows.count()),
               activation_with<A>(values), windows, static_cast<const T*>(x), static_cast<T*>(y), argmax);
}

template <class A, class T>
void max_pool_backward(const ParameterValues& values, const PoolSizes& sizes, const void* kept,
                       const void* dy, const std::uint8_t* argmax, void* dx) {
  const cuda::PoolWindows windows(sizes);
  cuda::launch(A::info.name, activation_max_pool_backward_kernel<A, T>, cuda::grid_for(windows.count()),
               activation_with<A>(values), windows, static_cast<const T*>(kept), static_cast<const T*>(dy),
               argmax, static_cast<T*>(dx));
}

}  // namespace
}  // namespace actlab
