// bf16 in matmul, convolution, sums and casts: every library against the reference, the reference against
// double.
#include <bit>
#include <cstdlib>

#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

using Halves = TestArray<BFloat16>;
using Floats = TestArray<float>;

Halves rounded(const Floats& x, const Shape& shape) {
  Halves y(shape);
  reference().elementwise.cast(x, y);
  return y;
}
Halves random_halves(const Shape& shape, std::uint64_t stream) {
  return rounded(random_array(shape, stream), shape);
}
Halves constant(const Shape& shape, float value) {
  return rounded(Floats(shape, std::vector<float>(static_cast<std::size_t>(shape.count()), value)), shape);
}
// Whole numbers in [-8, 8]: sums of their products are exact in f32.
Halves integers(const Shape& shape, std::uint64_t stream) {
  const Random random(2, RandomPurpose::synthetic, stream);
  Floats values(shape);
  for (std::int64_t i = 0; i < values.count(); ++i)
    values[i] = static_cast<float>(random.below(static_cast<std::uint64_t>(i), 17)) - 8;
  return rounded(values, shape);
}

template <class T>
TestArray<T> converted(const Halves& x, const Shape& shape) {
  TestArray<T> y(shape);
  reference().elementwise.cast(x, y);
  return y;
}

void expect_same_bits(const Halves& got, const Halves& want) {
  ASSERT_EQ(got.count(), want.count());
  for (std::int64_t i = 0; i < got.count(); ++i) ASSERT_EQ(got[i].bits, want[i].bits) << "element " << i;
}

// A float sum of `terms` products that is then rounded to bf16: half a unit of eight bits more.
void expect_rounded(const Halves& got, const Floats& exact, const Shape& shape, std::int64_t terms) {
  const Floats values = converted<float>(got, shape);
  const double tolerance = sum_tolerance(terms);
  for (std::int64_t i = 0; i < got.count(); ++i)
    ASSERT_NEAR(double{values[i]}, double{exact[i]},
                tolerance + 0x1p-8 * (std::fabs(double{exact[i]}) + tolerance))
        << "element " << i;
}

class Bfloat16 : public EveryGemm {};
INSTANTIATE_TEST_SUITE_P(Gemms, Bfloat16, testing::ValuesIn(tested_bf16_gemms()), name_of_param);

struct MatmulCase {
  std::int64_t m, n, k;
  bool transpose_a, transpose_b, with_bias;

  Shape a() const { return transpose_a ? Shape{k, m} : Shape{m, k}; }
  Shape b() const { return transpose_b ? Shape{n, k} : Shape{k, n}; }
  Shape y() const { return {m, n}; }
};

template <class Y>
void multiply(Backend& backend, const MatmulCase& c, const ConstArray& a, const ConstArray& b,
              const ConstArray& bias, TestArray<Y>& y) {
  backend.matmul.matmul(a, c.transpose_a, b, c.transpose_b, c.with_bias ? bias : ConstArray{}, y);
  EXPECT_TRUE(y.guards_hold());
}

template <class F>
void for_each_form(std::int64_t m, std::int64_t n, std::int64_t k, const F& f) {
  for (const int form : {0, 1, 2, 3, 4, 5, 6, 7}) {
    SCOPED_TRACE(concat(m, " x ", n, " x ", k, ", form ", form));
    f(MatmulCase{m, n, k, (form & 1) != 0, (form & 2) != 0, (form & 4) != 0});
  }
}

TEST_P(Bfloat16, MatmulAgreesWithReference) {
  const auto compare = [&](const MatmulCase& c) {
    const Halves a = random_halves(c.a(), 1), b = random_halves(c.b(), 2);
    const Floats bias = random_array({c.n}, 3);
    Floats got(c.y()), want(c.y());
    multiply(backend(), c, a, b, bias, got);
    multiply(reference(), c, a, b, bias, want);
    expect_close(got, want, sum_tolerance(c.k));
    Halves halves(c.y());
    multiply(backend(), c, a, b, bias, halves);
    expect_rounded(halves, want, c.y(), c.k);
  };
  for (const std::int64_t m : {1, 3, 17, 67})
    for (const std::int64_t n : {1, 2, 17, 67})
      for (const std::int64_t k : {1, 2, 17, 259}) for_each_form(m, n, k, compare);
}

TEST_P(Bfloat16, MatmulOfIntegersIsTheirProductRoundedOnce) {
  const auto compare = [&](const MatmulCase& c) {
    const Halves a = integers(c.a(), 1), b = integers(c.b(), 2);
    const Floats bias = converted<float>(integers({c.n}, 3), {c.n});
    Floats exact(c.y()), floats(c.y());
    multiply(reference(), c, converted<float>(a, c.a()), converted<float>(b, c.b()), bias, exact);
    multiply(backend(), c, a, b, bias, floats);
    EXPECT_EQ(floats.values(), exact.values());
    Halves halves(c.y());
    multiply(backend(), c, a, b, bias, halves);
    expect_same_bits(halves, rounded(exact, c.y()));
  };
  for_each_form(31, 35, 67, compare);
  for_each_form(3, 129, 300, compare);
}

// A sum in bf16 stalls at 256.
TEST_P(Bfloat16, LongSumsAreThoseOfFloats) {
  for (const std::int64_t k : {4096, 70'000}) {
    const Halves row = constant({1, k}, 1), column = constant({k, 1}, 1);
    Floats y({1, 1});
    Halves half({1, 1});
    backend().matmul.matmul(row, false, column, false, {}, y);
    backend().matmul.matmul(row, false, column, false, {}, half);
    EXPECT_EQ(y[0], static_cast<float>(k));
    EXPECT_EQ(converted<float>(half, {1, 1})[0], k == 4096 ? 4096.0f : 70'144.0f);
  }
}

TEST_P(Bfloat16, MatmulOfNothingIsTheBias) {
  const Halves a({2, 0}), b({0, 3});
  const Floats bias({3}, {1, 2.5f, -3});
  Halves y({2, 3});
  backend().matmul.matmul(a, false, b, false, bias, y);
  EXPECT_EQ(converted<float>(y, {2, 3}).values(), (std::vector<float>{1, 2.5f, -3, 1, 2.5f, -3}));
}

ConvolutionSizes sizes_of(std::int64_t kernel, std::int64_t stride, std::int64_t pad, std::int64_t in,
                          std::int64_t out) {
  return {.batch = 3,
          .height = 7,
          .width = 9,
          .in_channels = in,
          .out_channels = out,
          .kernel_h = kernel,
          .kernel_w = kernel,
          .stride_h = stride,
          .stride_w = stride,
          .pad_h = pad,
          .pad_w = pad};
}

Shape x_shape(const ConvolutionSizes& s) { return {s.batch, s.height, s.width, s.in_channels}; }
Shape w_shape(const ConvolutionSizes& s) { return {s.out_channels, s.kernel_h, s.kernel_w, s.in_channels}; }
Shape y_shape(const ConvolutionSizes& s) { return {s.batch, s.out_height(), s.out_width(), s.out_channels}; }

// Results of the three passes; y and dx are of type T.
template <class T>
struct Passes {
  Passes(Backend& backend, const ConvolutionSizes& s, const Halves& x, const Halves& w, const Floats& bias,
         const Halves& dy)
      : y(y_shape(s)), dx(x_shape(s)), dw(w_shape(s)), dbias({s.out_channels}) {
    backend.convolution.forward(s, x, w, bias, y);
    backend.convolution.backward_data(s, dy, w, dx);
    backend.convolution.backward_weights(s, x, dy, dw, dbias);
    EXPECT_TRUE(y.guards_hold() && dx.guards_hold() && dw.guards_hold() && dbias.guards_hold());
  }
  TestArray<T> y, dx;
  Floats dw, dbias;
};

template <class F>
void for_each_convolution(const F& f) {
  for (const std::int64_t kernel : {1, 3})
    for (const std::int64_t stride : {1, 2})
      for (const std::int64_t pad : {0, 1})
        for (const std::int64_t channels : {1, 3, 32}) {
          SCOPED_TRACE(
              concat("kernel ", kernel, ", stride ", stride, ", pad ", pad, ", channels ", channels));
          f(sizes_of(kernel, stride, pad, channels, channels == 3 ? 32 : 5));
        }
}

TEST_P(Bfloat16, ConvolutionAgreesWithReference) {
  for_each_convolution([&](const ConvolutionSizes& s) {
    const Halves x = random_halves(x_shape(s), 1), w = random_halves(w_shape(s), 2),
                 dy = random_halves(y_shape(s), 3);
    const Floats bias = random_array({s.out_channels}, 4);
    const Passes<float> want(reference(), s, x, w, bias, dy), floats(backend(), s, x, w, bias, dy);
    const std::int64_t taps = s.kernel_h * s.kernel_w, pixels = s.batch * s.out_height() * s.out_width();
    expect_close(floats.y, want.y, sum_tolerance(taps * s.in_channels));
    expect_close(floats.dx, want.dx, sum_tolerance(taps * s.out_channels));
    const Passes<BFloat16> halves(backend(), s, x, w, bias, dy);
    expect_rounded(halves.y, want.y, y_shape(s), taps * s.in_channels);
    expect_rounded(halves.dx, want.dx, x_shape(s), taps * s.out_channels);
    for (const auto* dw : {&floats.dw, &halves.dw}) expect_close(*dw, want.dw, sum_tolerance(pixels));
    for (const auto* db : {&floats.dbias, &halves.dbias})
      expect_close(*db, want.dbias, sum_tolerance(pixels));
  });
}

TEST_P(Bfloat16, ConvolutionOfIntegersIsRoundedOnce) {
  for_each_convolution([&](const ConvolutionSizes& s) {
    const Halves x = integers(x_shape(s), 1), w = integers(w_shape(s), 2), dy = integers(y_shape(s), 3);
    const Floats bias = converted<float>(integers({s.out_channels}, 4), {s.out_channels});
    const Passes<float> exact(reference(), s, x, w, bias, dy);
    const Passes<BFloat16> got(backend(), s, x, w, bias, dy);
    expect_same_bits(got.y, rounded(exact.y, y_shape(s)));
    expect_same_bits(got.dx, rounded(exact.dx, x_shape(s)));
    EXPECT_EQ(got.dw.values(), exact.dw.values());
    EXPECT_EQ(got.dbias.values(), exact.dbias.values());
  });
}

TEST_P(Bfloat16, GradientsOfManyPixelsAreSumsOfFloats) {
  const ConvolutionSizes s{.batch = 64,
                           .height = 16,
                           .width = 16,
                           .in_channels = 2,
                           .out_channels = 3,
                           .kernel_h = 1,
                           .kernel_w = 1};
  const Halves x = constant(x_shape(s), 1), dy = constant(y_shape(s), 1);
  Floats dw(w_shape(s)), dbias({3});
  backend().convolution.backward_weights(s, x, dy, dw, dbias);
  EXPECT_EQ(dw.values(), std::vector<float>(6, 64 * 256));
  EXPECT_EQ(dbias.values(), std::vector<float>(3, 64 * 256));
}

TEST_P(Bfloat16, RefusesOperandsOfTwoTypes) {
  const Halves a = constant({1, 1}, 1);
  const Floats b({1, 1}, {1});
  Floats y({1, 1});
  Halves half({1, 1});
  EXPECT_THROW(backend().matmul.matmul(a, false, b, false, {}, y), Error);
  EXPECT_THROW(backend().matmul.matmul(b, false, a, false, {}, y), Error);
  EXPECT_THROW(backend().matmul.matmul(b, false, b, false, {}, half), Error);
  const ConvolutionSizes s{
      .batch = 1, .height = 1, .width = 1, .in_channels = 1, .out_channels = 1, .kernel_h = 1, .kernel_w = 1};
  const Halves x = constant(x_shape(s), 1);
  const Floats w(w_shape(s), {1});
  Floats out(y_shape(s));
  EXPECT_THROW(backend().convolution.forward(s, x, w, {}, out), Error);
}

TEST_P(Bfloat16, SaysWhetherItIsNative) {
  for (const bool is_native : {backend().matmul.native(DType::f32), backend().convolution.native(DType::f32)})
    EXPECT_TRUE(is_native);
  const bool on_cuda = backend().name == "cuda";
  EXPECT_EQ(backend().matmul.native(DType::f16), on_cuda);
  const bool native = backend().matmul.native(DType::bf16);
  EXPECT_EQ(native, backend().convolution.native(DType::bf16));
  if (GetParam() != "onednn") {
    EXPECT_EQ(native, GetParam() == "reference" || on_cuda);
    return;
  }
  if (std::getenv("DNNL_MAX_CPU_ISA") != nullptr || std::getenv("ONEDNN_MAX_CPU_ISA") != nullptr)
    GTEST_SKIP() << "oneDNN's instruction set is limited from outside";
  EXPECT_EQ(native, __builtin_cpu_supports("avx512bf16") != 0);
}

// The reference's one rounding, from the sum in double.
TEST(Bfloat16OfReference, RoundsTheSumOfDoublesOnce) {
  const MatmulCase c{7, 5, 67, false, false, true};
  const Halves a = random_halves(c.a(), 1), b = random_halves(c.b(), 2);
  const Floats bias = random_array({c.n}, 3);
  TestArray<double> exact(c.y());
  multiply(reference(), c, converted<double>(a, c.a()), converted<double>(b, c.b()), in_double(bias, {c.n}),
           exact);
  Halves want(c.y()), got(c.y());
  reference().elementwise.cast(exact, want);
  multiply(reference(), c, a, b, bias, got);
  expect_same_bits(got, want);
}

class Bfloat16Devices : public EveryDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, Bfloat16Devices, testing::ValuesIn(tested_devices()), name_of_param);

TEST_P(Bfloat16Devices, SumsAreThoseOfFloats) {
  const auto sum = [&](ElementwiseKernels& kernels, const AxisSizes& s, const ConstArray& x) {
    Floats y({s.outer, s.inner});
    kernels.sum(s, x, y);
    EXPECT_TRUE(y.guards_hold());
    return y.values();
  };
  EXPECT_EQ(sum(backend().elementwise, {1, 70'000, 1}, constant({70'000}, 1)), std::vector<float>{70'000});
  for (const AxisSizes& s : {AxisSizes{1, 67, 1}, {3, 5000, 1}, {1, 5000, 67}, {2, 17, 3}, {2, 0, 3}}) {
    const Shape shape{s.outer, s.axis, s.inner};
    const Halves x = random_halves(shape, 1);
    // The partials are the same ones.
    EXPECT_EQ(sum(backend().elementwise, s, x), sum(backend().elementwise, s, converted<float>(x, shape)));
  }
}

TEST_P(Bfloat16Devices, AdditionRoundsOnce) {
  for (const std::int64_t n : {1, 7, 67, 40'000}) {
    const Halves a = random_halves({n}, 1), b = random_halves({n}, 2);
    Floats sum({n});
    reference().elementwise.add(converted<float>(a, {n}), converted<float>(b, {n}), sum);
    Halves got({n});
    backend().elementwise.add(a, b, got);
    expect_same_bits(got, rounded(sum, {n}));
    backend().elementwise.fill(1.00390625, got);  // halfway between two: to the even one
    expect_same_bits(got, constant({n}, 1));
    EXPECT_TRUE(got.guards_hold());
  }
}

// NaN stays NaN; which one is left to the backend.
void expect_same_values(const Halves& got, const Halves& want) {
  const auto is_nan = [](BFloat16 x) { return (x.bits & 0x7fff) > 0x7f80; };
  for (std::int64_t i = 0; i < got.count(); ++i)
    if (is_nan(want[i]))
      ASSERT_TRUE(is_nan(got[i])) << "element " << i;
    else
      ASSERT_EQ(got[i].bits, want[i].bits) << "element " << i;
}

// Every bf16 with the lower halves around a tie; then whatever lies behind the last whole vector.
TEST(Bfloat16Casts, HaveTheBitsOfReference) {
  constexpr std::int64_t halves = 65'536;
  for (const std::uint32_t low : {0x0000u, 0x0001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
    Floats x({halves});
    for (std::int64_t i = 0; i < halves; ++i)
      x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(i) << 16 | low);
    Halves got({halves}), want({halves});
    tested().elementwise.cast(x, got);
    reference().elementwise.cast(x, want);
    expect_same_values(got, want);
    Floats back({halves}), want_back({halves});
    tested().elementwise.cast(want, back);
    reference().elementwise.cast(want, want_back);
    actlab::expect_same_bits(back, want_back);
  }
  for (const std::int64_t n : odd_counts()) {
    const Floats x = random_array({n}, 1);
    Halves got({n}), want({n});
    tested().elementwise.cast(x, got);
    reference().elementwise.cast(x, want);
    expect_same_bits(got, want);
    EXPECT_TRUE(got.guards_hold());
  }
}

}  // namespace
}  // namespace actlab
