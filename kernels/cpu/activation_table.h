// The table of one activation's loops, compiled once for each instruction set by the files that
// actlab_add_activation generates. Everything here and below is in an anonymous namespace or always inlined:
// a shared inline function would run one instruction set's code in all.
#pragma once

#include "kernels/cpu/activation_learned_loops.h"
#include "kernels/cpu/activation_pool_loops.h"

namespace actlab {
namespace {

template <class A, class T>
constexpr ActivationLoops activation_loops() {
  ActivationLoops loops{forward<A, T>, backward<A, T>, max_pool<A, T>, max_pool_backward<A, T>};
  if constexpr (!A::info.gated.empty()) {
    loops.gate = gate<A, T>;
    loops.gate_backward = gate_backward<A, T>;
  }
  if constexpr (has_learnable<A>) {
    loops.learned_forward = learned_forward<A, T>;
    loops.learned_backward = learned_backward<A, T>;
  }
  return loops;
}

template <class A>
constexpr ActivationTable activation_table() {
  return {activation_loops<A, float>(), activation_loops<A, BFloat16>(), activation_loops<A, Float16>()};
}

}  // namespace
}  // namespace actlab
