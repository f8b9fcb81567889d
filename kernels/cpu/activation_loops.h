// The loops of one activation over arrays.
//
// Floats are read and written where they lie; the 16-bit types go through blocks of float in the L1 cache.
#pragma once

#include <cstdint>

#include "kernels/activation_body.h"
#include "kernels/cpu/half_block.h"

namespace actlab {
namespace {

ACTLAB_HD std::int64_t smaller(std::int64_t a, std::int64_t b) { return a < b ? a : b; }

// The element loops; nothing overlaps.

template <class A>
ACTLAB_HD void apply(const A& a, const float* __restrict x, float* __restrict y, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) y[i] = a.f(x[i]);
}

template <class A>
ACTLAB_HD void apply_backward(const A& a, const float* __restrict kept, const float* __restrict dy,
                              float* __restrict dx, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) dx[i] = dy[i] * derivative_from_kept(a, kept[i]);
}

template <class A>
ACTLAB_HD void apply_gate(const A& a, const float* __restrict gate, const float* __restrict up,
                          float* __restrict y, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) y[i] = a.f(gate[i]) * up[i];
}

template <class A>
ACTLAB_HD void apply_gate_backward(const A& a, const float* __restrict gate, const float* __restrict up,
                                   const float* __restrict dy, float* __restrict dgate, float* __restrict dup,
                                   std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    dgate[i] = dy[i] * up[i] * a.df(gate[i]);
    dup[i] = dy[i] * a.f(gate[i]);
  }
}

// The kernels of the table.

template <class A, class T>
void forward(const ParameterValues& values, const void* x, void* y, std::int64_t n) {
  const A a = activation_with<A>(values);
  for (std::int64_t i = 0; i < n; i += block_of<T>(n)) {
    const std::int64_t count = smaller(block_of<T>(n), n - i);
    const FloatsIn<T> in(static_cast<const T*>(x) + i, count);
    FloatsOut<T> out(static_cast<T*>(y) + i, count);
    apply(a, in.data(), out.data(), count);
    out.store();
  }
}

template <class A, class T>
void backward(const ParameterValues& values, const void* kept, const void* dy, void* dx, std::int64_t n) {
  const A a = activation_with<A>(values);
  constexpr bool reads = A::info.backward_reads != Reads::nothing;
  for (std::int64_t i = 0; i < n; i += block_of<T>(n)) {
    const std::int64_t count = smaller(block_of<T>(n), n - i);
    const FloatsIn<T> in(static_cast<const T*>(reads ? kept : dy) + i, count);
    const FloatsIn<T> upstream(static_cast<const T*>(dy) + i, count);
    FloatsOut<T> out(static_cast<T*>(dx) + i, count);
    apply_backward(a, in.data(), upstream.data(), out.data(), count);
    out.store();
  }
}

template <class A, class T>
void gate(const ParameterValues& values, const void* x, void* y, std::int64_t rows, std::int64_t columns) {
  const A a = activation_with<A>(values);
  for (std::int64_t row = 0; row < rows; ++row) {
    const T* const gates = static_cast<const T*>(x) + row * 2 * columns;
    T* const to = static_cast<T*>(y) + row * columns;
    for (std::int64_t i = 0; i < columns; i += block_of<T>(columns)) {
      const std::int64_t count = smaller(block_of<T>(columns), columns - i);
      const FloatsIn<T> in(gates + i, count), up(gates + columns + i, count);
      FloatsOut<T> out(to + i, count);
      apply_gate(a, in.data(), up.data(), out.data(), count);
      out.store();
    }
  }
}

template <class A, class T>
void gate_backward(const ParameterValues& values, const void* x, const void* dy, void* dx, std::int64_t rows,
                   std::int64_t columns) {
  const A a = activation_with<A>(values);
  for (std::int64_t row = 0; row < rows; ++row) {
    const T* const gates = static_cast<const T*>(x) + row * 2 * columns;
    const T* const upstreams = static_cast<const T*>(dy) + row * columns;
    T* const to = static_cast<T*>(dx) + row * 2 * columns;
    for (std::int64_t i = 0; i < columns; i += block_of<T>(columns)) {
      const std::int64_t count = smaller(block_of<T>(columns), columns - i);
      const FloatsIn<T> in(gates + i, count), up(gates + columns + i, count), upstream(upstreams + i, count);
      FloatsOut<T> dgate(to + i, count), dup(to + columns + i, count);
      apply_gate_backward(a, in.data(), up.data(), upstream.data(), dgate.data(), dup.data(), count);
      dgate.store();
      dup.store();
    }
  }
}

}  // namespace
}  // namespace actlab
