// Convolution of every library against the reference, and the reference's gradients against differences.
#include <omp.h>

#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

class Convolution : public EveryGemm {};
INSTANTIATE_TEST_SUITE_P(Gemms, Convolution, testing::ValuesIn(tested_convolutions()), name_of_param);

std::string text(const ConvolutionSizes& s) {
  return concat("batch ", s.batch, ", ", s.height, "x", s.width, "x", s.in_channels, " to ", s.out_channels,
                ", kernel ", s.kernel_h, "x", s.kernel_w, ", stride ", s.stride_h, "x", s.stride_w, ", pad ",
                s.pad_h, "x", s.pad_w);
}

Shape x_shape(const ConvolutionSizes& s) { return {s.batch, s.height, s.width, s.in_channels}; }
Shape w_shape(const ConvolutionSizes& s) { return {s.out_channels, s.kernel_h, s.kernel_w, s.in_channels}; }
Shape y_shape(const ConvolutionSizes& s) { return {s.batch, s.out_height(), s.out_width(), s.out_channels}; }

/// Results of the three passes.
template <class T>
struct Passes {
  explicit Passes(const ConvolutionSizes& s)
      : y(y_shape(s)), dx(x_shape(s)), dw(w_shape(s)), dbias({s.out_channels}) {}
  bool guards_hold() const {
    return y.guards_hold() && dx.guards_hold() && dw.guards_hold() && dbias.guards_hold();
  }
  TestArray<T> y, dx, dw, dbias;
};

template <class T>
Passes<T> run(ConvolutionKernels& kernels, const ConvolutionSizes& s, const TestArray<T>& x,
              const TestArray<T>& w, const ConstArray& bias, const TestArray<T>& dy) {
  Passes<T> r(s);
  kernels.forward(s, x, w, bias, r.y);
  kernels.backward_data(s, dy, w, r.dx);
  kernels.backward_weights(s, x, dy, r.dw, r.dbias);
  return r;
}

void compare(Backend& backend, const ConvolutionSizes& s, bool with_bias) {
  SCOPED_TRACE(text(s));
  const auto x = random_array(x_shape(s), 1), w = random_array(w_shape(s), 2),
             dy = random_array(y_shape(s), 3);
  const auto bias = random_array({s.out_channels}, 4);
  const ConstArray row = with_bias ? ConstArray(bias) : ConstArray{};
  const auto got = run(backend.convolution, s, x, w, row, dy);
  const auto want = run(reference().convolution, s, x, w, row, dy);
  const std::int64_t taps = s.kernel_h * s.kernel_w, pixels = s.batch * s.out_height() * s.out_width();
  expect_close(got.y, want.y, sum_tolerance(taps * s.in_channels));
  expect_close(got.dx, want.dx, sum_tolerance(taps * s.out_channels));
  expect_close(got.dw, want.dw, sum_tolerance(pixels));
  expect_close(got.dbias, want.dbias, sum_tolerance(pixels));
  EXPECT_TRUE(got.guards_hold());
}

TEST_P(Convolution, AgreesWithReference) {
  if (GetParam() == "reference") GTEST_SKIP() << "compares the reference with itself";
  for (const std::int64_t kernel : {1, 2, 3, 5})
    for (const std::int64_t stride : {1, 2, 3})
      for (const std::int64_t pad : {0, 1, 2})
        for (const std::int64_t channels : {1, 3, 32})
          for (const std::int64_t batch : {1, 3})
            compare(backend(),
                    {.batch = batch,
                     .height = 7,
                     .width = 9,
                     .in_channels = channels,
                     .out_channels = channels == 3 ? 32 : 5,
                     .kernel_h = kernel,
                     .kernel_w = kernel,
                     .stride_h = stride,
                     .stride_w = stride,
                     .pad_h = pad,
                     .pad_w = pad},
                    pad != 1);
}

TEST_P(Convolution, TakesDifferentHeightsAndWidths) {
  compare(backend(),
          {.batch = 2,
           .height = 11,
           .width = 6,
           .in_channels = 3,
           .out_channels = 4,
           .kernel_h = 5,
           .kernel_w = 2,
           .stride_h = 1,
           .stride_w = 3,
           .pad_h = 2,
           .pad_w = 0},
          true);
  compare(backend(),
          {.batch = 2,
           .height = 5,
           .width = 12,
           .in_channels = 8,
           .out_channels = 16,
           .kernel_h = 1,
           .kernel_w = 4,
           .stride_h = 2,
           .stride_w = 1,
           .pad_h = 0,
           .pad_w = 3},
          false);
}

TEST_P(Convolution, HandlesManyImages) {
  if (GetParam() == "reference") GTEST_SKIP() << "compares the reference with itself";
  // More patches than are held at a time.
  compare(backend(),
          {.batch = 37,
           .height = 16,
           .width = 16,
           .in_channels = 32,
           .out_channels = 8,
           .kernel_h = 3,
           .kernel_w = 3,
           .pad_h = 1,
           .pad_w = 1},
          true);
}

TEST_P(Convolution, OfOnesGivesExactNumbers) {
  const ConvolutionSizes s{.batch = 1,
                           .height = 4,
                           .width = 4,
                           .in_channels = 1,
                           .out_channels = 1,
                           .kernel_h = 3,
                           .kernel_w = 3,
                           .pad_h = 1,
                           .pad_w = 1};
  TestArray<float> x(x_shape(s));
  for (std::int64_t i = 0; i < 16; ++i) x[i] = static_cast<float>(i + 1);
  const TestArray<float> w(w_shape(s), std::vector<float>(9, 1)), dy(y_shape(s), std::vector<float>(16, 1));
  const auto r = run(backend().convolution, s, x, w, {}, dy);
  EXPECT_EQ(r.y.values(),
            (std::vector<float>{14, 24, 30, 22, 33, 54, 63, 45, 57, 90, 99, 69, 46, 72, 78, 54}));
  EXPECT_EQ(r.dw.values(), (std::vector<float>{54, 78, 63, 96, 136, 108, 90, 126, 99}));
  EXPECT_EQ(r.dx.values(), (std::vector<float>{4, 6, 6, 4, 6, 9, 9, 6, 6, 9, 9, 6, 4, 6, 6, 4}));
  EXPECT_EQ(r.dbias[0], 16);
}

TEST_P(Convolution, HasTheSameBitsEveryTime) {
  if (GetParam() == "reference") GTEST_SKIP() << "one loop, and a slow one";
  const ConvolutionSizes s{.batch = 16,
                           .height = 15,
                           .width = 17,
                           .in_channels = 8,
                           .out_channels = 24,
                           .kernel_h = 3,
                           .kernel_w = 3,
                           .pad_h = 1,
                           .pad_w = 1};
  const auto x = random_array(x_shape(s), 1), w = random_array(w_shape(s), 2),
             dy = random_array(y_shape(s), 3);
  const auto bias = random_array({s.out_channels}, 4);
  const auto first = run(backend().convolution, s, x, w, bias, dy);
  for (int time = 0; time < 2; ++time) {
    const auto again = run(backend().convolution, s, x, w, bias, dy);
    expect_same_bits(again.y, first.y);
    expect_same_bits(again.dx, first.dx);
    expect_same_bits(again.dw, first.dw);
    expect_same_bits(again.dbias, first.dbias);
  }
}

TEST_P(Convolution, OfNoImagesHasNoGradient) {
  const ConvolutionSizes s{
      .batch = 0, .height = 4, .width = 4, .in_channels = 2, .out_channels = 3, .kernel_h = 3, .kernel_w = 3};
  const TestArray<float> x(x_shape(s)), dy(y_shape(s)), w(w_shape(s), std::vector<float>(54, 1));
  const auto r = run(backend().convolution, s, x, w, {}, dy);
  EXPECT_EQ(r.dw.values(), std::vector<float>(54, 0.0f));
  EXPECT_EQ(r.dbias.values(), std::vector<float>(3, 0.0f));
}

TEST_P(Convolution, DoesWithoutABiasGradient) {
  const ConvolutionSizes s{
      .batch = 1, .height = 3, .width = 3, .in_channels = 1, .out_channels = 1, .kernel_h = 3, .kernel_w = 3};
  const auto x = random_array(x_shape(s), 1);
  const TestArray<float> dy(y_shape(s), {1});
  TestArray<float> dw(w_shape(s));
  backend().convolution.backward_weights(s, x, dy, dw, {});
  EXPECT_EQ(dw.values(), x.values());
}

TEST_P(Convolution, RunsInsideAParallelRegion) {
  const ConvolutionSizes s{.batch = 4,
                           .height = 8,
                           .width = 8,
                           .in_channels = 16,
                           .out_channels = 16,
                           .kernel_h = 3,
                           .kernel_w = 3,
                           .pad_h = 1,
                           .pad_w = 1};
  const auto x = random_array(x_shape(s), 1), w = random_array(w_shape(s), 2),
             dy = random_array(y_shape(s), 3);
  const auto want = run(reference().convolution, s, x, w, {}, dy);
  std::vector<Passes<float>> got(2, Passes<float>(s));
  Backend& b = backend();
#pragma omp parallel for num_threads(2)
  for (std::size_t i = 0; i < 2; ++i) got[i] = run(b.convolution, s, x, w, {}, dy);
  for (const auto& passes : got) {
    expect_close(passes.y, want.y, sum_tolerance(9 * 16));
    expect_close(passes.dx, want.dx, sum_tolerance(9 * 16));
    expect_close(passes.dw, want.dw, sum_tolerance(4 * 64));
  }
}

// sum(dy * y) has the gradients that the backward passes give: linear in x and in w, so that a central
// difference has no error but rounding.
TEST(ConvolutionGradient, OfReferenceMatchesDifferences) {
  const ConvolutionSizes s{.batch = 2,
                           .height = 5,
                           .width = 4,
                           .in_channels = 2,
                           .out_channels = 3,
                           .kernel_h = 3,
                           .kernel_w = 2,
                           .stride_h = 2,
                           .stride_w = 1,
                           .pad_h = 1,
                           .pad_w = 1};
  auto x = random_array<double>(x_shape(s), 1), w = random_array<double>(w_shape(s), 2);
  auto bias = random_array<double>({s.out_channels}, 4);
  const auto dy = random_array<double>(y_shape(s), 3);
  const auto r = run(reference().convolution, s, x, w, bias, dy);
  const auto value = [&] {
    TestArray<double> y(y_shape(s));
    reference().convolution.forward(s, x, w, bias, y);
    double sum = 0;
    for (std::int64_t i = 0; i < y.count(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  const auto check = [&](TestArray<double>& at, const TestArray<double>& gradient) {
    for (std::int64_t i = 0; i < at.count(); ++i) {
      const double before = at[i];
      at[i] = before + 0.5;
      const double above = value();
      at[i] = before - 0.5;
      EXPECT_NEAR(gradient[i], above - value(), 1e-11) << "element " << i;
      at[i] = before;
    }
  };
  check(x, r.dx);
  check(w, r.dw);
  check(bias, r.dbias);
}

}  // namespace
}  // namespace actlab
