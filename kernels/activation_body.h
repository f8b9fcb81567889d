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

/// The place of the learnable parameter in the list; -1 where there is none.
template <class A>
consteval int learnable_place() {
  int place = -1;
  if constexpr (requires { A::parameters; })
    for (std::size_t i = 0; i < A::parameters.size(); ++i)
      if (A::parameters[i].learnable) place = place == -1 ? static_cast<int>(i) : -2;
  return place;
}
template <class A>
inline constexpr bool has_learnable = learnable_place<A>() != -1;

/// The struct with this value of its learnable parameter.
template <class A>
ACTLAB_HD A with_learned(A a, double value) {
  static_assert(learnable_place<A>() >= 0, "an activation has one learnable parameter at most");
  static_assert(A::info.backward_reads == Reads::input, "a learnable parameter needs Reads::input");
  a.*parameter_member<A, std::size_t{learnable_place<A>()}>() = Parameter::trained(value);
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
