// What the build reads off an activation's struct at compile time: its parameters set, f' from what is kept.
#pragma once

#include <cstddef>
#include <utility>

#include "kernels/activation.h"
#include "kernels/math/target.h"

namespace actlab {

// Found at compile time: read at run time, the list itself would become a symbol.
template <class A, std::size_t i>
consteval Parameter A::*parameter_member() {
  return A::parameters[i].member;
}

template <class A, std::size_t... i>
ACTLAB_HD void set_parameters(A& a, const ParameterValues& values, std::index_sequence<i...>) {
  ((a.*parameter_member<A, i>() = values[i]), ...);
}

/// The struct with these values of its parameters.
template <class A>
ACTLAB_HD A activation_with(const ParameterValues& values) {
  A a;
  if constexpr (requires { A::parameters; }) {
    static_assert(A::parameters.size() <= max_activation_parameters);
    set_parameters(a, values, std::make_index_sequence<A::parameters.size()>{});
  }
  return a;
}

/// f' from what info.backward_reads names.
template <class A, class V>
ACTLAB_HD V derivative_from_kept(const A& a, V kept) {
  if constexpr (A::info.backward_reads == Reads::output)
    return a.df_from_output(kept);
  else
    return a.df(kept);
}

}  // namespace actlab
