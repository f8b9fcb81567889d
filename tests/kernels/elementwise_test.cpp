// Elementwise operations, reductions and copies: cpu against reference, guards, threads, casts.
#include <omp.h>

#include <bit>
#include <limits>

#include "tests/kernels/arrays.h"

namespace actlab {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

ElementwiseKernels& cpu() { return tested().elementwise; }
ElementwiseKernels& oracle() { return reference().elementwise; }

TEST(Elementwise, HasTheBitsOfReference) {
  auto counts = odd_counts();
  counts.insert(counts.end(), {0, 40'000});
  for (const std::int64_t n : counts) {
    const auto a = random_array({n}, 1), b = random_array({n}, 2);
    TestArray<float> got({n}), want({n});
    cpu().add(a, b, got);
    oracle().add(a, b, want);
    expect_same_bits(got, want);
    cpu().multiply(a, b, got);
    oracle().multiply(a, b, want);
    expect_same_bits(got, want);
    cpu().scale(a, 1.0 / 3, got);
    oracle().scale(a, 1.0 / 3, want);
    expect_same_bits(got, want);
    cpu().clamp(a, -0.5, 1, got);
    oracle().clamp(a, -0.5, 1, want);
    expect_same_bits(got, want);
    EXPECT_TRUE(got.guards_hold());
    TestArray<float> in_place({n}, a.values());
    cpu().add(in_place, b, in_place);
    oracle().add(a, b, want);
    expect_same_bits(in_place, want);
  }
}

class Clamps : public EveryDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, Clamps, testing::ValuesIn(tested_devices()), name_of_param);

TEST_P(Clamps, KeepNaNsAndWhatLiesInside) {
  TestArray<float> x({8}, {-inf, -1.5f, -1, -0.0f, 0.5f, 2, inf, NAN});
  backend().elementwise.clamp(x, -1, 0.5, x);
  EXPECT_TRUE(std::isnan(x[7]));
  x[7] = 0;
  EXPECT_EQ(x.values(), (std::vector<float>{-1, -1, -1, -0.0f, 0.5f, 0.5f, 0.5f, 0}));
  EXPECT_TRUE(x.guards_hold());
}

class Casts : public EveryDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, Casts, testing::ValuesIn(tested_devices()), name_of_param);

TEST_P(Casts, RoundToNearestEvenAndKeepSubnormals) {
  const TestArray<float> x(
      {6}, {0.269140869f, 3.1400001f, 9.99999994e-09f, 1.00390625f, 1.01171875f, 3.39999995e+38f});
  TestArray<BFloat16> bf16({6});
  TestArray<float> back({6});
  backend().elementwise.cast(x, bf16);
  backend().elementwise.cast(bf16, back);
  EXPECT_EQ(back.values(), (std::vector<float>{0.26953125f, 3.140625f, 1.00117177e-08f, 1, 1.015625f, inf}));
  const TestArray<float> y({6}, {0x1p-15f, 0x1p-24f, 2.98e-08f, 65504, 65519, 65520});
  TestArray<Float16> f16({6});
  backend().elementwise.cast(y, f16);
  backend().elementwise.cast(f16, back);
  EXPECT_EQ(f16[0].bits, 0x0200);
  EXPECT_EQ(f16[1].bits, 0x0001);
  EXPECT_EQ(back.values(), (std::vector<float>{0x1p-15f, 0x1p-24f, 0, 65504, 65504, inf}));
}

TEST_P(Casts, FromDoubleRoundOnce) {
  // Just above the middle of two halves; by way of a float it would be the middle, and go to even.
  const TestArray<double> x({4}, {1 + 0x1p-11 + 0x1p-40, 1 + 0x1p-8 + 0x1p-40, 1 + 0x1p-11, 1e300});
  TestArray<Float16> f16({4});
  TestArray<BFloat16> bf16({4});
  TestArray<float> back({4});
  backend().elementwise.cast(x, f16);
  backend().elementwise.cast(f16, back);
  EXPECT_EQ(back.values(), (std::vector<float>{1 + 0x1p-10f, 1 + 0x1p-8f, 1, inf}));
  backend().elementwise.cast(x, bf16);
  backend().elementwise.cast(bf16, back);
  EXPECT_EQ(back.values(), (std::vector<float>{1, 1 + 0x1p-7f, 1, inf}));
}

TEST_P(Casts, RefuseIntegers) {
  const TestArray<std::int32_t> x({1}, {1});
  TestArray<float> y({1});
  EXPECT_THROW(backend().elementwise.cast(x, y), Error);
}

void compare_sum(const AxisSizes& s) {
  SCOPED_TRACE(concat(s.outer, " x ", s.axis, " x ", s.inner));
  const auto x = random_array({s.outer, s.axis, s.inner}, 1);
  TestArray<float> got({s.outer, s.inner}), want({s.outer, s.inner});
  cpu().sum(s, x, got);
  oracle().sum(s, x, want);
  for (std::int64_t i = 0; i < got.count(); ++i) EXPECT_FLOAT_EQ(got[i], want[i]);
  EXPECT_TRUE(got.guards_hold());
}

TEST(Sums, AgreeWithReference) {
  for (const std::int64_t n : odd_counts()) {
    compare_sum({1, n, 1});
    compare_sum({n, 3, 1});
    compare_sum({1, 3, n});
    compare_sum({2, n, 5});
  }
  compare_sum({3, 4096, 1});
  compare_sum({1, 10'000, 1});
  compare_sum({2, 8193, 70});
  compare_sum({1, 0, 7});
  compare_sum({0, 4, 7});
}

TEST(Sums, HaveTheSameBitsForAnyNumberOfThreads) {
  const int before = omp_get_max_threads();
  for (const AxisSizes& s : {AxisSizes{1, 100'000, 1}, AxisSizes{1, 20'000, 32}, AxisSizes{5, 5000, 3}}) {
    const auto x = random_array({s.outer, s.axis, s.inner}, 1);
    TestArray<float> want({s.outer, s.inner}), got({s.outer, s.inner});
    omp_set_num_threads(1);
    cpu().sum(s, x, want);
    for (const int threads : {2, 3, 4}) {
      omp_set_num_threads(threads);
      cpu().sum(s, x, got);
      expect_same_bits(got, want);
    }
  }
  omp_set_num_threads(before);
}

TEST(Sums, StayAccurateOverMillions) {
  constexpr std::int64_t n = 3'000'000;
  const TestArray<float> x({n}, std::vector<float>(n, 0.1f));
  TestArray<float> y({});
  cpu().sum({1, n, 1}, x, y);
  EXPECT_FLOAT_EQ(y[0], static_cast<float>(double{0.1f} * n));
}

class Maxima : public EveryDevice {};
INSTANTIATE_TEST_SUITE_P(Devices, Maxima, testing::ValuesIn(tested_devices()), name_of_param);

TEST_P(Maxima, TheFirstOfEqualsAndANanWin) {
  const TestArray<float> x({3, 4}, {1, 2, 2, 0, 0, nan, inf, nan, -inf, -inf, -inf, -inf});
  TestArray<float> y({3});
  TestArray<std::int32_t> index({3});
  backend().elementwise.max({3, 4, 1}, x, y, index);
  EXPECT_EQ(index.values(), (std::vector<std::int32_t>{1, 1, 0}));
  EXPECT_EQ(y[0], 2);
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(y[2], -inf);
  EXPECT_THROW(backend().elementwise.max({3, 0, 1}, x, y, index), Error);
}

TEST_P(Maxima, LargestSizeOfAnyType) {
  const auto largest = [&](const std::vector<float>& values, DType dtype) {
    const Shape shape{std::ssize(values)};
    TestArray<std::byte> bytes({std::ssize(values) * static_cast<std::int64_t>(size_of(dtype))});
    const Array cast{bytes.data(), dtype, shape};
    reference().elementwise.cast({values.data(), DType::f32, shape}, cast);
    return backend().elementwise.largest(cast);
  };
  std::vector<float> many(40'000, -1);
  many[31'234] = -3.5f;
  many[39'999] = 3.25f;
  for (const DType dtype : {DType::f32, DType::bf16, DType::f16}) {
    EXPECT_EQ(largest({}, dtype), 0);
    EXPECT_EQ(largest({nan, -0.0f}, dtype), 0);
    EXPECT_EQ(largest({1, nan, -2, 0x1p-14f}, dtype), 2);
    EXPECT_EQ(largest({1, -inf}, dtype), HUGE_VAL);
    EXPECT_EQ(largest(many, dtype), 3.5);
  }
}

TEST(Maxima, AgreeWithReferenceAndScatterBack) {
  for (const std::int64_t n : odd_counts()) {
    for (const AxisSizes& s : {AxisSizes{3, n, 1}, AxisSizes{2, 3, n}, AxisSizes{2, n, 5}}) {
      const auto x = random_array({s.outer, s.axis, s.inner}, 1);
      TestArray<float> got({s.outer, s.inner}), want({s.outer, s.inner});
      TestArray<std::int32_t> got_index({s.outer, s.inner}), want_index({s.outer, s.inner});
      cpu().max(s, x, got, got_index);
      oracle().max(s, x, want, want_index);
      expect_same_bits(got, want);
      EXPECT_EQ(got_index.values(), want_index.values());
      EXPECT_TRUE(got.guards_hold() && got_index.guards_hold());

      TestArray<float> got_dx({s.outer, s.axis, s.inner}), want_dx({s.outer, s.axis, s.inner});
      cpu().scatter_axis(s, want, want_index, got_dx);
      oracle().scatter_axis(s, want, want_index, want_dx);
      expect_same_bits(got_dx, want_dx);
      EXPECT_TRUE(got_dx.guards_hold());
      cpu().broadcast(s, want, 1.0 / 7, got_dx);
      oracle().broadcast(s, want, 1.0 / 7, want_dx);
      expect_same_bits(got_dx, want_dx);
      EXPECT_TRUE(got_dx.guards_hold());
    }
  }
}

class Copies : public EveryDevice {
 protected:
  // x (3, 5) of T, its columns 1 to 3 transposed, and back.
  template <class T>
  void transpose_a_slice() {
    TestArray<T> x({3, 5}), y({3, 3}), back({3, 5});
    for (std::int64_t i = 0; i < 15; ++i) std::memset(&x[i], static_cast<int>(i + 1), sizeof(T));
    const StridedSizes slice{.sizes = {1, 1, 3, 3}, .strides = {0, 0, 1, 5}, .offset = 1};
    backend().elementwise.gather(slice, x, y);
    backend().elementwise.scatter(slice, y, back);
    const T zero{};
    for (std::int64_t r = 0; r < 3; ++r) {
      for (std::int64_t c = 0; c < 5; ++c) {
        const T& source = x[r * 5 + c];
        const bool inside = c >= 1 && c <= 3;
        if (inside) {
          EXPECT_EQ(std::memcmp(&y[(c - 1) * 3 + r], &source, sizeof(T)), 0);
        }
        EXPECT_EQ(std::memcmp(&back[r * 5 + c], inside ? &source : &zero, sizeof(T)), 0);
      }
    }
    EXPECT_TRUE(y.guards_hold() && back.guards_hold());
  }
};
INSTANTIATE_TEST_SUITE_P(Devices, Copies, testing::ValuesIn(tested_devices()), name_of_param);

TEST_P(Copies, GatherAndScatterAnyElementType) {
  transpose_a_slice<std::uint8_t>();
  transpose_a_slice<BFloat16>();
  transpose_a_slice<float>();
  transpose_a_slice<std::int32_t>();
  transpose_a_slice<double>();
}

TEST(Copies, OfFourDimensionsAgreeWithReference) {
  const auto x = random_array({40, 8, 12, 20}, 1);
  // (0, 2, 1, 3) and (3, 2, 1, 0).
  for (const StridedSizes& s : {StridedSizes{{40, 12, 8, 20}, {1920, 20, 240, 1}, 0},
                                StridedSizes{{20, 12, 8, 40}, {1, 20, 240, 1920}, 0}}) {
    const Shape shape{s.sizes[0], s.sizes[1], s.sizes[2], s.sizes[3]};
    TestArray<float> got(shape), want(shape), back({40, 8, 12, 20});
    cpu().gather(s, x, got);
    oracle().gather(s, x, want);
    expect_same_bits(got, want);
    cpu().scatter(s, got, back);
    expect_same_bits(back, x);
  }
}

TEST(Copies, OfRowsBeginAndEndAnywhere) {
  const auto x = random_array({3, 24}, 1);
  for (std::int64_t offset = 0; offset <= 8; ++offset) {
    for (std::int64_t columns = 1; columns <= 16; ++columns) {
      const StridedSizes s{{1, 1, 3, columns}, {0, 0, 24, 1}, offset};
      TestArray<float> got({3, columns}), want({3, columns}), got_back({3, 24}), want_back({3, 24});
      cpu().gather(s, x, got);
      oracle().gather(s, x, want);
      expect_same_bits(got, want);
      cpu().scatter(s, got, got_back);
      oracle().scatter(s, want, want_back);
      expect_same_bits(got_back, want_back);
      EXPECT_TRUE(got.guards_hold() && got_back.guards_hold());
    }
  }
}

TEST(ElementwiseOfCpu, RefusesDoubles) {
  const TestArray<double> x({1}, {1});
  TestArray<double> y({1});
  EXPECT_THROW(cpu().add(x, x, y), Error);
  EXPECT_THROW(cpu().sum({1, 1, 1}, x, y), Error);
}

}  // namespace
}  // namespace actlab
