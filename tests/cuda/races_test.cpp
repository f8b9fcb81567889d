// Kernels whose threads work together, under ThreadSanitizer, to which each thread of the device is one of
// the program: a missing barrier is a race. What they compute is checked by what is known of it.
#include <gtest/gtest.h>

#include "kernels/cuda/families.h"
#include "kernels/cuda/memory.h"
#include "tests/cuda_emulation/emulator.h"
#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

using Floats = TestArray<float>;
using Integers = TestArray<std::int32_t>;

// Sums and products of rows and columns that no block has whole.
constexpr std::int64_t rows = 70, columns = 67;

Floats ones(const Shape& shape) {
  return Floats(shape, std::vector<float>(static_cast<std::size_t>(shape.count()), 1.0f));
}

double sum_of(const float* values, std::int64_t count, std::int64_t step = 1) {
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += double{values[i * step]};
  return sum;
}

class CudaRaces : public testing::Test {
 protected:
  CudaRaces() { emu::set_schedule(2); }
  ~CudaRaces() override { emu::set_schedule(0); }

  cuda::DeviceMemory memory;
  Floats x = random_array({rows, columns}, 1), dy = random_array({rows, columns}, 2);
  Floats y{{rows, columns}}, dx{{rows, columns}};
};

TEST_F(CudaRaces, Norms) {
  const auto kernels = make_cuda_norm(memory);
  const Floats weight = ones({columns}), bias({columns}, std::vector<float>(columns, 0.0f));
  Floats dw({columns}), db({columns});
  TestArray<double> of_columns({2, columns}), of_rows({2, rows});
  kernels->batch_moments(x, of_columns);
  kernels->batch_forward({x, of_columns, weight, 1e-5}, bias, y);
  for (std::int64_t c = 0; c < columns; ++c) EXPECT_NEAR(sum_of(y.data() + c, rows, columns), 0, 1e-4);
  kernels->batch_backward({x, of_columns, weight, 1e-5}, true, dy, {dx, dw, db});
  for (std::int64_t c = 0; c < columns; ++c)
    EXPECT_NEAR(double{db[c]}, sum_of(dy.data() + c, rows, columns), 1e-4);
  kernels->layer_forward(x, weight, bias, 1e-5, y, of_rows);
  for (std::int64_t r = 0; r < rows; ++r) EXPECT_NEAR(sum_of(y.data() + r * columns, columns), 0, 1e-4);
  kernels->layer_backward({x, of_rows, weight, 1e-5}, dy, {dx, dw, db});
  for (std::int64_t r = 0; r < rows; ++r) EXPECT_NEAR(sum_of(dx.data() + r * columns, columns), 0, 1e-4);
}

TEST_F(CudaRaces, SoftmaxAndLosses) {
  const auto kernels = make_cuda_loss(memory);
  kernels->softmax(x, y);
  kernels->softmax_backward(y, dy, dx);
  for (std::int64_t r = 0; r < rows; ++r) {
    EXPECT_NEAR(sum_of(y.data() + r * columns, columns), 1, 1e-5);
    EXPECT_NEAR(sum_of(dx.data() + r * columns, columns), 0, 1e-5);
  }
  const Integers labels({rows}, std::vector<std::int32_t>(rows, 3));
  Floats loss(Shape{}, {0.0f});
  kernels->cross_entropy({.label_smoothing = 0.1}, x, labels, loss);
  EXPECT_GT(loss[0], 3);
  const Floats upstream(Shape{}, {1.0f});
  kernels->cross_entropy_backward({.label_smoothing = 0.1}, x, labels, upstream, dx);
  for (std::int64_t r = 0; r < rows; ++r) EXPECT_NEAR(sum_of(dx.data() + r * columns, columns), 0, 1e-5);

  const auto attention = make_cuda_attention(memory);
  const Integers lengths({2}, {5, 67});
  Floats scores = random_array({2, 1, 5, columns}, 3), probabilities({2, 1, 5, columns}),
         dscores({2, 1, 5, columns});
  attention->softmax(0.5, scores, lengths, probabilities);
  attention->softmax_backward(0.5, probabilities, lengths, scores, dscores);
  for (std::int64_t r = 0; r < 10; ++r)
    EXPECT_NEAR(sum_of(probabilities.data() + r * columns, columns), 1, 1e-5);
}

TEST_F(CudaRaces, SumsAndLargest) {
  const auto kernels = make_cuda_elementwise(memory);
  Floats by_row({rows, 1}), by_column({1, columns});
  kernels->sum({rows, columns, 1}, x, by_row);
  kernels->sum({1, rows, columns}, x, by_column);
  EXPECT_NEAR(sum_of(by_row.data(), rows), sum_of(x.data(), rows * columns), 1e-3);
  EXPECT_NEAR(sum_of(by_column.data(), columns), sum_of(x.data(), rows * columns), 1e-3);
  Integers places({rows, 1});
  kernels->max({rows, columns, 1}, x, by_row, places);
  double most = 0;
  for (std::int64_t i = 0; i < x.count(); ++i) most = std::max(most, std::fabs(double{x[i]}));
  EXPECT_EQ(kernels->largest(x), most);

  const auto optimizer = make_cuda_optimizer(memory);
  const Floats all = ones({rows, columns});
  const ConstArray arrays[] = {all};
  double norm = 0;
  optimizer->norms(arrays, {&norm, 1});
  EXPECT_NEAR(norm, std::sqrt(static_cast<double>(rows * columns)), 1e-9);
}

TEST_F(CudaRaces, RowsByNumber) {
  const auto kernels = make_cuda_rows(memory);
  std::vector<std::int32_t> index;
  for (std::int32_t i = 0; i < 1500; ++i) index.push_back(i * 7 % 10);
  const Integers places({1500}, index);
  const Floats gradient = ones({1500, 5});
  Floats summed({10, 5});
  kernels->scatter_add(gradient, places, summed);
  EXPECT_EQ(summed.values(), std::vector<float>(50, 150.0f));
}

TEST_F(CudaRaces, Convolution) {
  const auto kernels = make_cuda_convolution(memory);
  const ConvolutionSizes s{.batch = 2,
                           .height = 6,
                           .width = 6,
                           .in_channels = 3,
                           .out_channels = 5,
                           .kernel_h = 3,
                           .kernel_w = 3,
                           .pad_h = 1,
                           .pad_w = 1};
  const Floats images = ones({2, 6, 6, 3}), filters = ones({5, 3, 3, 3});
  Floats out({2, 6, 6, 5}), back({2, 6, 6, 3}), dw({5, 3, 3, 3}), db({5});
  kernels->forward(s, images, filters, {}, out);
  EXPECT_EQ(out[(6 + 1) * 5], 27);
  kernels->backward_data(s, out, filters, back);
  kernels->backward_weights(s, images, ones({2, 6, 6, 5}), dw, db);
  EXPECT_EQ(db.values(), std::vector<float>(5, 72));
  EXPECT_EQ(dw[(3 + 1) * 3], 72);
}

}  // namespace
}  // namespace actlab
