// A bias added to the rows of a matrix.
#include "kernels/cuda/bias.h"

#include "kernels/cuda/map.h"
#include "kernels/cuda/operands.h"
#include "kernels/cuda/places.h"

namespace actlab::cuda {
namespace {

struct AddBias {
  const float* bias;
  Divisor columns;
  ACTLAB_HD float operator()(std::int64_t i, float x) const { return x + bias[columns.rest(i)]; }
};

}  // namespace

void add_bias(ConstArray x, ConstArray bias, Array y) {
  const AddBias add{bias.as<float>(), Divisor(bias.count())};
  for_operands("matmul", y.dtype, x.dtype,
               [&]<class T, class X>(T, X) { map("matmul", y.count(), add, y.as<T>(), x.as<X>()); });
}

}  // namespace actlab::cuda
