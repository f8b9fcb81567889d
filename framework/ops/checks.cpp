// Checks and shape arithmetic that operations share.
#include "framework/ops/checks.h"

#include <algorithm>
#include <vector>

namespace actlab {
namespace {

Shape shape_of(const std::vector<std::int64_t>& sizes) {
  switch (sizes.size()) {
    case 0:
      return {};
    case 1:
      return {sizes[0]};
    case 2:
      return {sizes[0], sizes[1]};
    case 3:
      return {sizes[0], sizes[1], sizes[2]};
    default:
      return {sizes[0], sizes[1], sizes[2], sizes[3]};
  }
}

std::vector<std::int64_t> sizes_of(const Shape& shape) {
  std::vector<std::int64_t> sizes;
  for (int i = 0; i < shape.rank(); ++i) sizes.push_back(shape[i]);
  return sizes;
}

}  // namespace

Backend& check_alike(std::string_view operation, std::initializer_list<Tensor> inputs) {
  const Tensor& first = *inputs.begin();
  for (const Tensor& t : inputs) {
    ACTLAB_CHECK(t.defined(), operation, ": an input is undefined");
    ACTLAB_CHECK(&t.backend() == &first.backend(), operation, ": inputs lie on the backends ",
                 first.backend().name, " and ", t.backend().name);
    ACTLAB_CHECK(t.dtype() == first.dtype(), operation, ": inputs have the types ", first.dtype(), " and ",
                 t.dtype());
  }
  ACTLAB_CHECK(first.dtype() != DType::i32 && first.dtype() != DType::u8, operation, ": inputs of type ",
               first.dtype(), ", floating-point ones are needed");
  return first.backend();
}

DType parameter_type(DType dtype) { return is_half(dtype) ? DType::f32 : dtype; }

DType check_weighted(std::string_view operation, const Tensor& x, const Tensor& w, const Tensor& b,
                     std::optional<DType> result) {
  const Backend& backend = check_alike(operation, {x});
  check_alike(operation, {w, b});
  ACTLAB_CHECK(&w.backend() == &backend, operation, ": inputs lie on the backends ", backend.name, " and ",
               w.backend().name);
  ACTLAB_CHECK(w.dtype() == parameter_type(x.dtype()), operation, ": parameters have the type ", w.dtype(),
               "; beside x of ", x.dtype(), " it must be ", parameter_type(x.dtype()));
  const DType type = result.value_or(x.dtype());
  ACTLAB_CHECK(type == x.dtype() || (is_half(x.dtype()) && type == DType::f32), operation, ": a result of ",
               type, " from x of ", x.dtype(), "; x's type or, of bf16 and f16, f32 is there");
  return type;
}

void check_indices(std::string_view operation, const Tensor& x, const Tensor& indices) {
  ACTLAB_CHECK(indices.defined() && indices.dtype() == DType::i32, operation,
               ": indices of type i32 are needed, they are ",
               indices.defined() ? name_of(indices.dtype()) : "undefined");
  ACTLAB_CHECK(&indices.backend() == &x.backend(), operation, ": inputs lie on the backends ",
               x.backend().name, " and ", indices.backend().name);
}

void check_lengths(std::string_view operation, const Tensor& x, const Tensor& lengths) {
  check_indices(operation, x, lengths);
  ACTLAB_CHECK(x.shape().rank() == 3 && lengths.shape() == Shape{x.size(0)}, operation,
               ": windows (B, L, d) and lengths (B) wanted, found ", x.shape(), " and ", lengths.shape());
}

void check_plain(std::string_view operation, const ActivationHandle& activation) {
  ACTLAB_CHECK(!activation.gated(), operation, ": '", activation.spelled(),
               "' is gated, it needs a gate and an up projection: use gate()");
  ACTLAB_CHECK(activation.learned() == Learned::fixed, operation, ": '", activation.spelled(),
               "' is learned, its trained parameter must be given: use activate() with it");
}

int check_dimension(std::string_view operation, int d, int rank) {
  const int at = d < 0 ? d + rank : d;
  ACTLAB_CHECK(at >= 0 && at < rank, operation, ": no dimension ", d, " in a tensor of rank ", rank);
  return at;
}

AxisSizes axis_sizes(const Shape& shape, int dimension) {
  AxisSizes sizes{1, shape[dimension], 1};
  for (int i = 0; i < dimension; ++i) sizes.outer *= shape[i];
  for (int i = dimension + 1; i < shape.rank(); ++i) sizes.inner *= shape[i];
  return sizes;
}

Shape with_dimension(const Shape& shape, std::int64_t size) {
  std::vector<std::int64_t> sizes = sizes_of(shape);
  sizes.push_back(size);
  return shape_of(sizes);
}

Shape drop_dimension(const Shape& shape, int dimension) {
  std::vector<std::int64_t> sizes = sizes_of(shape);
  sizes.erase(sizes.begin() + dimension);
  return shape_of(sizes);
}

Shape with_size(const Shape& shape, int dimension, std::int64_t size) {
  std::vector<std::int64_t> sizes = sizes_of(shape);
  sizes[static_cast<std::size_t>(dimension)] = size;
  return shape_of(sizes);
}

}  // namespace actlab
