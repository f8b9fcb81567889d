// Counted arithmetic against what a model's sizes say.
#include "experiments/cli/counted_backend.h"

#include <gtest/gtest.h>

#include "framework/ops/ops.h"

namespace actlab {
namespace {

TEST(CountedBackend, CountsEveryPassOfProductsAndConvolutions) {
  CountedBackend counted(find_backend("cpu"));
  Backend& backend = counted.backend();
  const auto parameter = [&](const Shape& shape) {
    return Tensor::zeros(shape, DType::f32, backend, MemoryKind::parameters).require_grad();
  };
  const Tensor images = Tensor::zeros({2, 6, 6, 3}, DType::f32, backend);
  const Tensor filters = parameter({4, 3, 3, 3}), w = parameter({5, 64});
  const Tensor pooled = conv2d(images, filters, parameter({4}), {});  // (2, 4, 4, 4)
  const std::int64_t convolution = 2 * 2 * 4 * 4 * 4 * 27, product = 2 * 2 * 64 * 5;
  EXPECT_EQ(counted.operations(), convolution);
  const Tensor y = linear(flatten(pooled), w, parameter({5}));
  EXPECT_EQ(counted.operations(), convolution + product);
  sum(y).backward();  // the images want no gradient
  EXPECT_EQ(counted.operations(), 2 * convolution + 3 * product);

  const std::int64_t before = counted.operations();
  attention(Tensor::zeros({2, 7, 3 * 8}, DType::f32, backend), 4, {});
  EXPECT_EQ(counted.operations() - before, 2 * (2 * 2 * 7 * 7 * 8));
}

}  // namespace
}  // namespace actlab
