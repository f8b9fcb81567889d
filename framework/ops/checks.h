// What operations check of their inputs.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

#include "framework/core/tensor.h"
#include "kernels/activation.h"

namespace actlab {

/// Inputs of one operation are defined and share one backend and one floating-point type; throws Error naming
/// the operation.
Backend& check_alike(std::string_view operation, std::initializer_list<Tensor> inputs);

/// The type of parameters beside x of `dtype`: f32 beside the 16-bit ones, else the same.
DType parameter_type(DType dtype);

/// x with weights and a bias of the type that parameters have beside it, on one backend; throws Error.
/// Returns the type of the result: `result`, which may be f32 beside x of bf16 or f16, else x's.
DType check_weighted(std::string_view operation, const Tensor& x, const Tensor& w, const Tensor& b,
                     std::optional<DType> result);

/// i32 indices on x's backend; throws Error. Their values are the kernel's to check.
void check_indices(std::string_view operation, const Tensor& x, const Tensor& indices);

/// x (B, L, d) and i32 lengths (B); throws Error.
void check_lengths(std::string_view operation, const Tensor& x, const Tensor& lengths);

/// The activation is neither gated nor learned; throws Error.
void check_plain(std::string_view operation, const ActivationHandle& activation);

/// Dimension `d` of a tensor of that rank, counted from the first; throws Error.
int check_dimension(std::string_view operation, int d, int rank);

/// x seen around one dimension.
AxisSizes axis_sizes(const Shape& shape, int dimension);

/// The shape with one dimension more at its end, without one, or with one size changed.
Shape with_dimension(const Shape& shape, std::int64_t size);
Shape drop_dimension(const Shape& shape, int dimension);
Shape with_size(const Shape& shape, int dimension, std::int64_t size);

}  // namespace actlab
