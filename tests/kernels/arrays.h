// Arrays for the tests of the families: filled, guarded on both sides, compared with the reference backend.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/backend.h"
#include "kernels/random.h"
#include "tests/kernels/test_memory.h"
#include "tests/kernels/tested.h"

namespace actlab {

/// An owned array of T with sixteen sentinel bytes before and after it, which guards_hold() looks at.
template <class T>
class TestArray {
 public:
  explicit TestArray(Shape shape)
      : shape_(shape), bytes_(2 * guard + static_cast<std::size_t>(shape.count()) * sizeof(T), sentinel) {}
  TestArray(Shape shape, std::vector<T> values) : TestArray(shape) {
    EXPECT_EQ(shape.count(), static_cast<std::int64_t>(values.size()));
    std::copy(values.begin(), values.end(), data());
  }

  T* data() { return reinterpret_cast<T*>(bytes_.begin() + guard); }
  const T* data() const { return reinterpret_cast<const T*>(bytes_.begin() + guard); }
  T& operator[](std::int64_t i) { return data()[i]; }
  const T& operator[](std::int64_t i) const { return data()[i]; }
  std::int64_t count() const { return shape_.count(); }
  operator Array() { return {data(), dtype_of<T>, shape_}; }
  operator ConstArray() const { return {data(), dtype_of<T>, shape_}; }
  std::vector<T> values() const { return {data(), data() + count()}; }

  bool guards_hold() const {
    const auto intact = [](unsigned char byte) { return byte == sentinel; };
    return std::all_of(bytes_.begin(), bytes_.begin() + guard, intact) &&
           std::all_of(bytes_.end() - guard, bytes_.end(), intact);
  }

 private:
  static constexpr std::ptrdiff_t guard = 16;
  static constexpr unsigned char sentinel = 0xa5;

  Shape shape_;
  TestMemory bytes_;
};

/// Standard normal values, the same for the same stream.
template <class T = float>
TestArray<T> random_array(Shape shape, std::uint64_t stream) {
  TestArray<T> array(shape);
  const Random random(1, RandomPurpose::synthetic, stream);
  for (std::int64_t i = 0; i < array.count(); ++i)
    array[i] = static_cast<T>(random.normal(static_cast<std::uint64_t>(i)));
  return array;
}

/// The same values in double.
inline TestArray<double> in_double(const TestArray<float>& x, Shape shape) {
  return TestArray<double>(shape, std::vector<double>(x.data(), x.data() + x.count()));
}

/// Every element within the tolerance; NaN for NaN, infinity for infinity.
inline void expect_close(const TestArray<float>& got, const TestArray<float>& want, double tolerance) {
  ASSERT_EQ(got.count(), want.count());
  for (std::int64_t i = 0; i < got.count(); ++i) {
    const double g = double{got[i]}, w = double{want[i]};
    if (std::isnan(w) || std::isinf(w)) {
      ASSERT_TRUE(std::isnan(w) ? std::isnan(g) : g == w) << "element " << i << ": " << g << " for " << w;
    } else {
      ASSERT_NEAR(g, w, tolerance) << "element " << i;
    }
  }
}

inline void expect_same_bits(const TestArray<float>& got, const TestArray<float>& want) {
  ASSERT_EQ(got.count(), want.count());
  ASSERT_EQ(std::memcmp(got.data(), want.data(), static_cast<std::size_t>(got.count()) * sizeof(float)), 0);
}

/// What a float sum of `terms` products of standard normal numbers may be off by: the partial sums wander to
/// a few sqrt(terms), and so do their rounding errors. A lost or doubled term is thousands of times larger.
inline double sum_tolerance(std::int64_t terms) { return 0x1p-22 * (8 + static_cast<double>(terms)); }

inline Backend& reference() { return find_backend("reference"); }

/// 1 to 67, 255, 1023: around every width of vector and block.
inline std::vector<std::int64_t> odd_counts() {
  std::vector<std::int64_t> counts;
  for (std::int64_t n = 1; n <= 67; ++n) counts.push_back(n);
  counts.insert(counts.end(), {255, 1023});
  return counts;
}

/// A suite that runs for every way of computing matmul and convolution on the tested device.
class EveryGemm : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (const std::string reason = untested(GetParam()); !reason.empty()) GTEST_SKIP() << reason;
  }
  Backend& backend() const { return tested(GetParam()); }
};

/// A suite that runs for every tested device.
class EveryDevice : public testing::TestWithParam<std::string> {
 protected:
  Backend& backend() const { return find_backend(GetParam()); }
};

inline std::string name_of_param(const testing::TestParamInfo<std::string>& info) { return info.param; }

}  // namespace actlab
