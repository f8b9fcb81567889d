// How an activation enters the registry. Included by the files that actlab_add_activation generates, one an
// activation; all is local to them, since a program's struct may have the name of one of the library's.
#pragma once

#include <span>
#include <utility>

#include "kernels/activation_body.h"
#include "kernels/math/dual.h"
#include "kernels/name.h"

namespace actlab {

using ActivationMaker = ActivationType (*)();

/// The activations of one target; generated as `library_activations` and as `program_activations`.
struct ActivationList {
  std::span<const ActivationMaker> makers;
};

namespace {

template <class A>
double f_of(const ParameterValues& values, double x) {
  return activation_with<A>(values).f(x);
}
template <class A>
double df_of(const ParameterValues& values, double x) {
  return activation_with<A>(values).df(x);
}
template <class A>
double d2f_of(const ParameterValues& values, double x) {
  // A NaN's own derivative is 1 where a body hands it on.
  return x != x ? x : activation_with<A>(values).df(math::Dual<double>(x, 1)).derivative;
}
template <class A>
double backward_of(const ParameterValues& values, double kept) {
  return derivative_from_kept(activation_with<A>(values), kept);
}

template <class A>
double dparameter_of(const ParameterValues& values, double x) {
  return activation_with<A>(values).dparameter(x);
}

template <class A>
constexpr bool is_well_named() {
  bool good = is_snake_case(A::info.name) && (A::info.gated.empty() || is_snake_case(A::info.gated));
  if constexpr (requires { A::parameters; })
    for (const auto& parameter : A::parameters) good = good && is_snake_case(parameter.name);
  return good;
}

template <class A>
ActivationType activation_entry(const std::array<const ActivationTable*, isa_count>& tables,
                                const CudaActivationTable* cuda) {
  static_assert(is_well_named<A>(),
                "names of an activation: lower-case letters, digits and _, a letter first");
  constexpr ActivationInfo info = A::info;
  ActivationType type{info, {}, {}, f_of<A>, df_of<A>, d2f_of<A>, backward_of<A>, nullptr, tables, cuda};
  if constexpr (has_learnable<A>) type.dparameter = dparameter_of<A>;
  if constexpr (requires { A::parameters; }) {
    const A a;
    for (const auto& [name, member, least, most, learnable, observed] : A::parameters)
      type.parameters.push_back({name, (a.*member).value, least, most, learnable, observed});
  }
  if constexpr (requires { A::checks; }) type.checks.assign(A::checks.begin(), A::checks.end());
  return type;
}

}  // namespace
}  // namespace actlab
