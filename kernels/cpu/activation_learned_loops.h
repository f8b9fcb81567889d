// The loops of an activation whose learnable parameter is trained: each element has its channel's value.
#pragma once

#include "kernels/cpu/activation_loops.h"

namespace actlab {
namespace {

template <class A>
ACTLAB_HD void apply_learned(const A& a, const float* __restrict learned, const float* __restrict x,
                             float* __restrict y, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) y[i] = with_learned(a, learned[i]).f(x[i]);
}

template <class A>
ACTLAB_HD void apply_learned_backward(const A& a, const float* __restrict learned, const float* __restrict x,
                                      const float* __restrict dy, float* __restrict dx,
                                      float* __restrict dlearned, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    const A own = with_learned(a, learned[i]);
    dx[i] = dy[i] * own.df(x[i]);
    dlearned[i] = dy[i] * own.dparameter(x[i]);
  }
}

// Elements from i on that are worked on together: a block within a period.
template <class T>
ACTLAB_HD std::int64_t learned_block(std::int64_t i, std::int64_t period, std::int64_t n) {
  return smaller(smaller(block_of<T>(n), period - i % period), n - i);
}

template <class A, class T>
void learned_forward(const ParameterValues& values, const float* learned, std::int64_t period, const void* x,
                     void* y, std::int64_t n) {
  const A a = activation_with<A>(values);
  for (std::int64_t i = 0; i < n;) {
    const std::int64_t count = learned_block<T>(i, period, n);
    const FloatsIn<T> in(static_cast<const T*>(x) + i, count);
    FloatsOut<T> out(static_cast<T*>(y) + i, count);
    apply_learned(a, learned + i % period, in.data(), out.data(), count);
    out.store();
    i += count;
  }
}

template <class A, class T>
void learned_backward(const ParameterValues& values, const float* learned, std::int64_t period, const void* x,
                      const void* dy, void* dx, float* dlearned, std::int64_t n) {
  const A a = activation_with<A>(values);
  for (std::int64_t i = 0; i < n;) {
    const std::int64_t count = learned_block<T>(i, period, n);
    const FloatsIn<T> in(static_cast<const T*>(x) + i, count), upstream(static_cast<const T*>(dy) + i, count);
    FloatsOut<T> out(static_cast<T*>(dx) + i, count);
    apply_learned_backward(a, learned + i % period, in.data(), upstream.data(), out.data(), dlearned + i,
                           count);
    out.store();
    i += count;
  }
}

}  // namespace
}  // namespace actlab
