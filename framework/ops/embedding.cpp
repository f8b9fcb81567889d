// Rows by number, and the embedding of tokens made of them.
#include "framework/autograd/node.h"
#include "framework/ops/checks.h"
#include "framework/ops/ops.h"

namespace actlab {
namespace {

// y (index.count(), columns), as a tensor of `shape`.
Tensor rows_of(std::string_view operation, const Tensor& x, const Tensor& index, const Shape& shape) {
  const Shape matrix{index.count(), x.size(1)};
  Tensor y = Tensor::empty(shape, x.dtype(), x.backend());
  y.backend().rows.gather(x.data(), index.data(), y.with_shape(matrix).mutable_data());
  return record(operation, y, {x}, {index}, [matrix, whole = x.shape()](const BackwardContext& context) {
    Tensor dx = Tensor::empty(whole, context.dy.dtype(), context.dy.backend());
    dx.backend().rows.scatter_add(context.dy.with_shape(matrix).data(), context.saved(0).data(),
                                  dx.mutable_data());
    return std::vector{dx};
  });
}

}  // namespace

Tensor gather_rows(const Tensor& x, const Tensor& places) {
  check_alike("gather_rows", {x});
  check_indices("gather_rows", x, places);
  ACTLAB_CHECK(x.shape().rank() == 2 && places.shape().rank() == 1,
               "gather_rows: x (rows, d) and places (M) wanted, found ", x.shape(), " and ", places.shape());
  return rows_of("gather_rows", x, places, {places.size(0), x.size(1)});
}

Tensor embedding(const Tensor& table, const Tensor& tokens) {
  check_alike("embedding", {table});
  check_indices("embedding", table, tokens);
  ACTLAB_CHECK(table.shape().rank() == 2 && tokens.shape().rank() < Shape::max_rank,
               "embedding: a table (V, d) and tokens of rank 3 at most wanted, found ", table.shape(),
               " and ", tokens.shape());
  return rows_of("embedding", table, tokens, with_dimension(tokens.shape(), table.size(1)));
}

}  // namespace actlab
