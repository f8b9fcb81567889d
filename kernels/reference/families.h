// The reference backend, the oracle that every other one is held against: straight loops over f32 or f64, for
// matmul, convolution and sums over bf16 too, that compute in double and round once.
#pragma once

#include <memory>
#include <string_view>
#include <type_traits>

#include "kernels/backend.h"

namespace actlab {

std::unique_ptr<MatmulKernels> make_reference_matmul();
std::unique_ptr<ConvolutionKernels> make_reference_convolution();
std::unique_ptr<PoolKernels> make_reference_pool();
std::unique_ptr<ImageKernels> make_reference_images();
std::unique_ptr<RowKernels> make_reference_rows();
std::unique_ptr<AttentionKernels> make_reference_attention();
std::unique_ptr<NormKernels> make_reference_norm();
std::unique_ptr<LossKernels> make_reference_loss();
std::unique_ptr<ElementwiseKernels> make_reference_elementwise();
std::unique_ptr<OptimizerKernels> make_reference_optimizer();

inline constexpr std::string_view reference_implementation = "reference loops in double";

/// Calls f(float{}) or f(double{}) as `dtype` says; throws Error for the other types.
template <class F>
void for_real(std::string_view operation, DType dtype, const F& f) {
  if (dtype == DType::f32) return f(float{});
  if (dtype == DType::f64) return f(double{});
  throw Error(concat(operation, ": the reference backend computes in f32 or f64, not ", dtype));
}

/// The same for kernels that take bf16 operands too, with results of bf16 or f32: calls f with a value of the
/// operands' type and one of the result's.
template <class F>
void for_operands(std::string_view operation, DType operands, DType result, const F& f) {
  if (operands != DType::bf16) return for_real(operation, result, [&](auto zero) { f(zero, zero); });
  if (result == DType::bf16) return f(BFloat16{}, BFloat16{});
  ACTLAB_CHECK(result == DType::f32, operation, ": a result of ", result, " of bf16; bf16 or f32 is needed");
  f(BFloat16{}, float{});
}

/// The type of a bias beside operands of type T.
template <class T>
using BiasOf = std::conditional_t<std::is_same_v<T, BFloat16>, float, T>;

/// The elements of a bias, or null.
template <class T>
const BiasOf<T>* bias_of(const ConstArray& bias) {
  return bias.data == nullptr ? nullptr : bias.as<BiasOf<T>>();
}

}  // namespace actlab
