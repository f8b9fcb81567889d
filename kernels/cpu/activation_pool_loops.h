// Max-pooling of one activation's outputs: f is computed where the window is read, and backward computes f'
// only where it is needed, once a window.
#pragma once

#include "kernels/cpu/activation_loops.h"

namespace actlab {
namespace {

// Channels of a window at a time; what is known of them stays in the L1 cache.
inline constexpr std::int64_t strip = 128;

// y = f(x), rounded to T.
template <class A, class T>
ACTLAB_HD void apply_rounded(const A& a, const T* x, float* y, std::int64_t n) {
  const FloatsIn<T> in(x, n);
  apply(a, in.data(), y, n);
  if constexpr (!std::is_same_v<T, float>) {
    for (std::int64_t i = 0; i < n; ++i) y[i] = math::to_float(math::from_float<T>(y[i]));
  }
}

// Values of one tap join the running maxima of their windows; a NaN stays. Places are 32 bits wide because
// the loop then vectorises.
ACTLAB_HD void keep_larger(const float* __restrict value, std::int32_t tap, float* __restrict best,
                           std::int32_t* __restrict place, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    const bool wins = (!(value[i] <= best[i])) & (best[i] == best[i]);
    best[i] = wins ? value[i] : best[i];
    place[i] = wins ? tap : place[i];
  }
}

// The strip of n channels of one window. x and dx lie at the window's first pixel, y, dy and argmax at its
// result.

template <class A, class T>
ACTLAB_HD void max_pool_strip(const A& a, const WindowRow& row, const T* x, T* y, std::uint8_t* argmax,
                              std::int64_t n) {
  FloatsOut<T> best(y, n);
  float value[strip];
  std::int32_t place[strip];
  apply_rounded(a, x, best.data(), n);
  for (std::int64_t i = 0; i < n; ++i) place[i] = 0;
  for (std::int32_t tap = 1, i = 0, j = 1; i < row.kernel; ++i, j = 0)
    for (; j < row.kernel; ++j, ++tap) {
      apply_rounded(a, x + i * row.line + j * row.channels, value, n);
      keep_larger(value, tap, best.data(), place, n);
    }
  best.store();
  for (std::int64_t i = 0; i < n; ++i) argmax[i] = static_cast<std::uint8_t>(place[i]);
}

// chosen = x at the places that won.
template <class T>
ACTLAB_HD void gather_chosen(const WindowRow& row, const T* x, const std::int32_t* place, float* chosen,
                             std::int64_t n) {
  for (std::int32_t tap = 0, i = 0; i < row.kernel; ++i)
    for (std::int32_t j = 0; j < row.kernel; ++j, ++tap) {
      const FloatsIn<T> in(x + i * row.line + j * row.channels, n);
      for (std::int64_t c = 0; c < n; ++c) chosen[c] = place[c] == tap ? in.data()[c] : chosen[c];
    }
}

// dx = gradient at the places that won, else 0.
template <class T>
ACTLAB_HD void scatter_chosen(const WindowRow& row, const float* gradient, const std::int32_t* place, T* dx,
                              std::int64_t n) {
  for (std::int32_t tap = 0, i = 0; i < row.kernel; ++i)
    for (std::int32_t j = 0; j < row.kernel; ++j, ++tap) {
      FloatsOut<T> out(dx + i * row.line + j * row.channels, n);
      for (std::int64_t c = 0; c < n; ++c) out.data()[c] = place[c] == tap ? gradient[c] : 0.0f;
      out.store();
    }
}

// `kept` lies as x or as y.
template <class A, class T>
ACTLAB_HD void max_pool_backward_strip(const A& a, const WindowRow& row, const T* kept, const T* dy,
                                       const std::uint8_t* argmax, T* dx, std::int64_t n) {
  std::int32_t place[strip];
  for (std::int64_t i = 0; i < n; ++i) place[i] = argmax[i];
  const FloatsIn<T> upstream(dy, n);
  float chosen[strip], gradient[strip];
  if constexpr (A::info.backward_reads == Reads::input) {
    gather_chosen(row, kept, place, chosen, n);
    apply_backward(a, chosen, upstream.data(), gradient, n);
  } else {
    const FloatsIn<T> output(A::info.backward_reads == Reads::output ? kept : dy, n);
    apply_backward(a, output.data(), upstream.data(), gradient, n);
  }
  scatter_chosen(row, gradient, place, dx, n);
}

// The kernels of the table.

template <class A, class T>
void max_pool(const ParameterValues& values, const WindowRow& row, const void* x, void* y,
              std::uint8_t* argmax) {
  const A a = activation_with<A>(values);
  for (std::int64_t column = 0; column < row.columns; ++column)
    for (std::int64_t first = 0; first < row.channels; first += strip) {
      const std::int64_t at = column * row.channels + first;
      max_pool_strip(a, row, static_cast<const T*>(x) + column * row.kernel * row.channels + first,
                     static_cast<T*>(y) + at, argmax + at, smaller(strip, row.channels - first));
    }
}

template <class A, class T>
void max_pool_backward(const ParameterValues& values, const WindowRow& row, const void* kept, const void* dy,
                       const std::uint8_t* argmax, void* dx) {
  const A a = activation_with<A>(values);
  for (std::int64_t column = 0; column < row.columns; ++column)
    for (std::int64_t first = 0; first < row.channels; first += strip) {
      const std::int64_t at = column * row.channels + first;
      const std::int64_t window = column * row.kernel * row.channels + first;
      max_pool_backward_strip(
          a, row, static_cast<const T*>(kept) + (A::info.backward_reads == Reads::input ? window : at),
          static_cast<const T*>(dy) + at, argmax + at, static_cast<T*>(dx) + window,
          smaller(strip, row.channels - first));
    }
}

}  // namespace
}  // namespace actlab
