// CUDA's functions by which the threads of a block and the lanes of a warp wait for each other and exchange
// values. The place of a call comes from a default argument, so that kernels call them as under nvcc.
#pragma once

#include <cstring>

#include "tests/cuda_emulation/device_calls.h"

inline void __syncthreads(emu::Site at = emu::Site::current()) { emu::barrier(0, at); }
inline int __syncthreads_count(int predicate, emu::Site at = emu::Site::current()) {
  return emu::barrier(predicate, at);
}
inline int __syncthreads_or(int predicate, emu::Site at = emu::Site::current()) {
  return emu::barrier(predicate, at) != 0;
}
inline int __syncthreads_and(int predicate, emu::Site at = emu::Site::current()) {
  return emu::barrier(predicate == 0, at) == 0;
}

inline void __syncwarp(unsigned mask = 0xffffffffu, emu::Site at = emu::Site::current()) {
  emu::collective(emu::Op::sync, mask, 0, 0, at);
}

namespace emu {

template <class T>
T shuffle(unsigned mask, T value, int source, Site at) {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= 8);
  std::uint64_t bits = 0;
  std::memcpy(&bits, static_cast<const void*>(&value), sizeof value);
  bits = collective(Op::shuffle, mask, bits, source, at);
  std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}

/// First and last lane of this one's group of `width` lanes.
inline int first_lane(int width) { return lane() & ~(width - 1); }
inline int last_lane(int width) { return lane() | (width - 1); }

inline unsigned vote(Op op, unsigned mask, unsigned value, Site at) {
  return static_cast<unsigned>(collective(op, mask, value, 0, at));
}

}  // namespace emu

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, emu::Site at = emu::Site::current()) {
  return emu::shuffle(mask, value, emu::first_lane(width) + (source & (width - 1)), at);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int distance, int width = 32, emu::Site at = emu::Site::current()) {
  const int source = emu::lane() ^ distance;
  return emu::shuffle(mask, value, source > emu::last_lane(width) ? emu::lane() : source, at);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned distance, int width = 32,
                   emu::Site at = emu::Site::current()) {
  const int source = emu::lane() + static_cast<int>(distance);
  return emu::shuffle(mask, value, source > emu::last_lane(width) ? emu::lane() : source, at);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned distance, int width = 32,
                 emu::Site at = emu::Site::current()) {
  const int source = emu::lane() - static_cast<int>(distance);
  return emu::shuffle(mask, value, source < emu::first_lane(width) ? emu::lane() : source, at);
}

inline unsigned __ballot_sync(unsigned mask, int predicate, emu::Site at = emu::Site::current()) {
  return emu::vote(emu::Op::ballot, mask, predicate != 0, at);
}
inline int __any_sync(unsigned mask, int predicate, emu::Site at = emu::Site::current()) {
  return emu::vote(emu::Op::any, mask, predicate != 0, at) != 0;
}
inline int __all_sync(unsigned mask, int predicate, emu::Site at = emu::Site::current()) {
  return emu::vote(emu::Op::all, mask, predicate != 0, at) != 0;
}
inline void __threadfence() { emu::fence(); }
inline void __threadfence_block() { emu::fence(); }
