// The reference backend: straight loops over f32 or f64 that compute in double and round once. The oracle
// that every other backend is held against.
#pragma once

#include <memory>
#include <string_view>

#include "kernels/backend.h"

namespace actlab {

std::unique_ptr<MatmulKernels> make_reference_matmul();
std::unique_ptr<ConvolutionKernels> make_reference_convolution();
std::unique_ptr<PoolKernels> make_reference_pool();
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

}  // namespace actlab
