// CUDA's atomic functions on integers. Those on float are left out: their sums would depend on the order of
// threads.
#pragma once

#include <concepts>
#include <type_traits>

namespace emu {

template <class T>
concept Atomic = std::same_as<T, int> || std::same_as<T, unsigned> || std::same_as<T, unsigned long long>;

// Real atomic instructions, so that a race detector sees them as such.
template <Atomic T, class F>
T update(T* place, F f) {
  T seen = __atomic_load_n(place, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(place, &seen, f(seen), false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return seen;
}

}  // namespace emu

// `value` takes no part in deducing T, as it takes none in CUDA's overloads.
template <emu::Atomic T>
T atomicAdd(T* place, std::type_identity_t<T> value) {
  return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
}
template <emu::Atomic T>
T atomicMax(T* place, std::type_identity_t<T> value) {
  return emu::update(place, [value](T old) { return old > value ? old : value; });
}
template <emu::Atomic T>
T atomicMin(T* place, std::type_identity_t<T> value) {
  return emu::update(place, [value](T old) { return old < value ? old : value; });
}
template <emu::Atomic T>
T atomicAnd(T* place, std::type_identity_t<T> value) {
  return __atomic_fetch_and(place, value, __ATOMIC_RELAXED);
}
template <emu::Atomic T>
T atomicOr(T* place, std::type_identity_t<T> value) {
  return __atomic_fetch_or(place, value, __ATOMIC_RELAXED);
}
template <emu::Atomic T>
T atomicExch(T* place, std::type_identity_t<T> value) {
  return __atomic_exchange_n(place, value, __ATOMIC_RELAXED);
}
template <emu::Atomic T>
T atomicCAS(T* place, std::type_identity_t<T> expected, std::type_identity_t<T> value) {
  __atomic_compare_exchange_n(place, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
